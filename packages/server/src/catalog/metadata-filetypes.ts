import { longestOf, lowerCaseAscii } from './file-endings.ts'
import { metadataFiletypeRows, type MetadataFiletypeRow } from './metadata-filetypes.data.ts'
import { indexByIdentifier } from './named-entries.ts'

/** As answers show it (contract 2.11); `extension` without its dot, null for a bare name like `Dockerfile`. */
export type MetadataFiletype = { identifier: string; name: string; extension: string | null }

const byIdentifier = indexByIdentifier(metadataFiletypeRows)
const wholeNames = new Map(
  metadataFiletypeRows.flatMap((row) => wholeNamesOf(row).map((name) => [name, row])),
)
const endings = new Map(metadataFiletypeRows.map((row) => [lowerCaseAscii(row.pattern), row]))
const longestEnding = longestOf(endings.keys())

/** For texts: `.txt, .json, … Dockerfile`. */
export const metadataEndings = metadataFiletypeRows.map(({ pattern }) => pattern).join(', ')

function wholeNamesOf(row: MetadataFiletypeRow): string[] {
  const pattern = lowerCaseAscii(row.pattern)
  if (row.kind === 'extension') return []
  return row.kind === 'extension-or-whole-name' ? [pattern, pattern.slice(1)] : [pattern]
}

/** By whole name, else by the longest known ending, in any case; undefined = no such file is taken as metadata. */
export function metadataFiletypeFor(filename: string): MetadataFiletype | undefined {
  const name = lowerCaseAscii(filename.slice(-longestEnding - 1))
  const whole = wholeNames.get(name)
  if (whole !== undefined) return describe(whole)
  // an ending has at least one character in front of it: `.json` is a hidden file, not a JSON file
  for (let start = 1; start < name.length; start += 1) {
    const row = endings.get(name.slice(start))
    if (row !== undefined) return describe(row)
  }
  return undefined
}

function describe({ identifier, name, pattern }: MetadataFiletypeRow): MetadataFiletype {
  const dot = pattern.lastIndexOf('.')
  return { identifier, name, extension: dot === -1 ? null : lowerCaseAscii(pattern.slice(dot + 1)) }
}

/** A type this version does not know (a newer one wrote it) goes by its identifier. */
export function metadataFiletypeResource(identifier: string): MetadataFiletype {
  const row = byIdentifier.get(identifier)
  return row === undefined ? { identifier, name: identifier, extension: null } : describe(row)
}
