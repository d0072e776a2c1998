import type { Token } from 'marked'

/** The anchor of a heading, as code hosts and editors make it. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** The anchor of a row: the name of a setting, or a command without its arguments. */
export function rowAnchor(name: string): string {
  const [words = ''] = /^[a-z-]+(?: [a-z-]+)*(?=$| [A-Z[-])/.exec(name) ?? [name]
  return words
    .replaceAll(/[^\p{L}\p{N}]+/gu, (gap) => (gap === '_' ? '_' : '-'))
    .replace(/^-|-$/g, '')
}

/** Notes for the tests of documents are no text. */
export function withoutComments(markdown: string): string {
  return markdown.replaceAll(/^<!--[\s\S]*?-->\n/gm, '')
}

/** A line of Markdown without its marks. */
export function plain(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`|\*\*|^- |(?<=\s)- /gm, '')
    .replaceAll('\\|', '|')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The text of a section, without its blocks and tables. */
export function plainTokens(tokens: readonly Token[]): string {
  const texts = tokens.filter(({ type }) => type === 'paragraph' || type === 'list')
  return plain(texts.map(({ raw }) => raw).join(' '))
}
