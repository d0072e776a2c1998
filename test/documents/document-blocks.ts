/** A fenced block of a document. */
export interface Block {
  readonly language: string
  readonly text: string
  /** The line of its fence. */
  readonly line: number
  /** The comment above its fence, for example `not run: it takes a minute`. */
  readonly marker: string | null
  /** Whether only empty lines separate this block from the previous one. */
  readonly follows: boolean
}

/** The fenced blocks of a Markdown text, in their order. */
export function readBlocks(markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let end = -1
  for (let start = 0; start < lines.length; start += 1) {
    const language = /^```(\w*)$/.exec(lines[start] ?? '')?.[1]
    if (language === undefined) continue
    const marker = /^<!-- (.+) -->$/.exec(lines[start - 1] ?? '')?.[1] ?? null
    const follows = end >= 0 && lines.slice(end + 1, start).every((line) => line === '')
    end = lines.indexOf('```', start + 1)
    if (end < 0) throw new Error(`The block of line ${start + 1} has no end.`)
    const text = lines.slice(start + 1, end).join('\n')
    blocks.push({ language, text, line: start + 1, marker, follows })
    start = end
  }
  return blocks
}
