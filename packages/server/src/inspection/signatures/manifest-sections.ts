/** Bounds the memory. A signed archive with 200,000 entries has three lines per entry. */
const maxLines = 1_000_000

/** A section of a JAR manifest or signature file. `bytes` includes the empty line at its end. */
export type ManifestSection = { name: string | undefined; attributes: Map<string, string>; bytes: Buffer }

/**
 * Returns the sections of a manifest. The first one contains the main attributes. Names of attributes are in lower case.
 * Throws a RangeError if there are too many lines.
 */
export function readSections(manifest: Buffer): ManifestSection[] {
  const sections: ManifestSection[] = []
  // Continuation lines can split a UTF-8 character, so the bytes are decoded after the lines are joined.
  const text = manifest.toString('latin1')
  let lines: string[] = []
  let lineCount = 0
  let start = 0
  for (let at = 0; at < text.length;) {
    const { line, next } = lineAt(text, at)
    if (line !== '') lines.push(line)
    if (++lineCount > maxLines) throw new RangeError('The manifest has too many lines.')
    const isEnd = line === '' || next >= text.length
    if (isEnd && (lines.length > 0 || sections.length === 0)) {
      sections.push(readSection(lines, manifest.subarray(start, next)))
      lines = []
    }
    // Additional empty lines belong to no section.
    if (isEnd) start = next
    at = next
  }
  return sections
}

/** Returns the line at an offset and the offset of the next line. Lines end with CR LF, LF or CR. */
function lineAt(text: string, at: number): { line: string; next: number } {
  const end = findLineEnd(text, at)
  const isPair = text.startsWith('\r\n', end)
  return { line: text.slice(at, end), next: Math.min(end + (isPair ? 2 : 1), text.length) }
}

const lineEnd = /[\r\n]/g

function findLineEnd(text: string, at: number): number {
  lineEnd.lastIndex = at
  return lineEnd.exec(text)?.index ?? text.length
}

function readSection(lines: readonly string[], bytes: Buffer): ManifestSection {
  const joined: string[] = []
  let parts: string[] = []
  const finish = () => {
    if (parts.length > 0) joined.push(parts.join(''))
  }
  for (const line of lines) {
    if (line.startsWith(' ')) parts.push(line.slice(1))
    else {
      finish()
      parts = [line]
    }
  }
  finish()
  const attributes = new Map<string, string>()
  for (const line of joined) {
    const colon = line.indexOf(': ')
    if (colon > 0) attributes.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 2))
  }
  const name = attributes.get('name')
  return {
    name: name === undefined ? undefined : Buffer.from(name, 'latin1').toString('utf8'),
    attributes,
    bytes,
  }
}
