/** Statements of a script, without comments; knows quotes and dollar quotes. */
export function splitStatements(sql: string): string[] {
  return splitOutside(stripComments(sql), ';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

/** Parts between commas that stand in no parentheses and no quotes. */
export const splitList = (text: string): string[] => splitOutside(text, ',').map((part) => part.trim())

const quotedOrComment = /'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*/g

const stripComments = (sql: string): string =>
  sql.replaceAll(quotedOrComment, (found) => (found.startsWith('--') ? '' : found))

function splitOutside(text: string, separator: string): string[] {
  // same length, so that positions hold: quoted text cannot be taken for structure
  const structure = text.replaceAll(quotedOrComment, (found) => '·'.repeat(found.length))
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < structure.length; i += 1) {
    const character = structure[i]
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === separator && depth === 0) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}
