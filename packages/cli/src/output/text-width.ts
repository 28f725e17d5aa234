const plain = /^[\u0020-\u007e\u00a0-\u02ff]*$/
// Terminals show these characters of East Asian scripts, and emoji, in two columns.
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f|[\u{20000}-\u{3fffd}])/u

let segmenter: Intl.Segmenter | undefined

/** Returns the characters of a text as people see them, such as a letter with its accents. */
function charactersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en')
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Returns the number of columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  return charactersOf(text).reduce((sum, character) => sum + widthOfCharacter(character), 0)
}

const widthOfCharacter = (character: string): number => (wide.test(character) ? 2 : 1)

/** Returns the beginning of a text that takes at most `width` columns. */
export function cutToWidth(text: string, width: number): string {
  if (plain.test(text)) return text.slice(0, width)
  let used = 0
  return charactersOf(text)
    .filter((character) => (used += widthOfCharacter(character)) <= width)
    .join('')
}

/** Adds spaces until a text takes `width` columns. */
export const padToWidth = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** Divides a text into lines of at most `width` columns, between words if possible. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  let rest = text
  while (widthOf(rest) > width) {
    const line = cutToWidth(rest, width)
    const end = rest.charAt(line.length) === ' ' ? line.length : line.lastIndexOf(' ')
    lines.push(rest.slice(0, end > 0 ? end : line.length))
    rest = rest.slice(end > 0 ? end : line.length).trimStart()
  }
  return [...lines, rest]
}
