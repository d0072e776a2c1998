// Colors code without changing the document: ranges of text are registered as highlights.
const words = {
  curl: /\bcurl\b/,
  javascript: /\b(?:await|const|for|from|import|new|of|return)\b/,
  php: /<\?php|\b(?:true|false|null|curl_\w+|json_\w+)\b|\$\w+/,
  python: /\b(?:import|from|with|as|None|True|False)\b/,
  ruby: /\b(?:require|do|end|nil|true|false)\b/,
  json: /\b(?:true|false|null)\b/,
}
const strings = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/
const keys = /"(?:\\.|[^"\\\n])*"(?=:)/
const comments = /(?<=^|\s)#\s.*$/m
const numbers = /(?<=[:,=[>(]\s|^\s+|\[)-?\d+(?:\.\d+)?(?![\w.:-])/

function patternOf(language) {
  const parts = [
    ['key', keys],
    ['comment', language === 'curl' ? comments : /(?!)/],
    ['string', language === 'curl' ? /"[^"\n]*"/ : strings],
    ['word', words[language] ?? /(?!)/],
    ['number', numbers],
  ]
  return new RegExp(parts.map(([name, { source }]) => `(?<${name}>${source})`).join('|'), 'gm')
}

/** Colors everything below an element that has code. */
export function highlight(root) {
  if (!globalThis.CSS?.highlights) return
  // Ranges of text that was replaced would stay in memory.
  if (root === document) CSS.highlights.clear()
  for (const block of root.querySelectorAll('pre[data-language]')) {
    const text = block.firstElementChild?.firstChild
    if (!text || text.nodeType !== Node.TEXT_NODE) continue
    for (const match of text.data.matchAll(patternOf(block.dataset.language))) {
      const [kind] = Object.entries(match.groups).find(([, found]) => found !== undefined) ?? []
      if (!kind || kind === 'key') continue
      const range = new StaticRange({
        startContainer: text,
        startOffset: match.index,
        endContainer: text,
        endOffset: match.index + match[0].length,
      })
      const known = CSS.highlights.get(kind)
      if (known) known.add(range)
      else CSS.highlights.set(kind, new Highlight(range))
    }
  }
}
