import { maxLengthOf, lowerCaseAscii } from './file-endings.ts'
import { metadataFiletypeRows, type MetadataFiletypeRow } from './metadata-filetypes.data.ts'
import { indexByIdentifier } from './named-entries.ts'

/**
 * A file type as it appears in responses. `extension` has no leading dot and is null for a bare name such as
 * `Dockerfile`.
 */
export type MetadataFiletype = { identifier: string; name: string; extension: string | null }

const byIdentifier = indexByIdentifier(metadataFiletypeRows)
const wholeNames = new Map(
  metadataFiletypeRows.flatMap((row) => wholeNamesOf(row).map((name) => [name, row])),
)
const endings = new Map(metadataFiletypeRows.map((row) => [lowerCaseAscii(row.pattern), row]))
const maxEndingLength = maxLengthOf(endings.keys())

function wholeNamesOf(row: MetadataFiletypeRow): string[] {
  const pattern = lowerCaseAscii(row.pattern)
  if (row.kind === 'extension') return []
  return row.kind === 'extension-or-whole-name' ? [pattern, pattern.slice(1)] : [pattern]
}

const unknownType: MetadataFiletype = { identifier: 'unknown', name: 'Unknown', extension: null }

/**
 * Returns the type that matches the whole name or, if there is none, the type with the longest matching ending,
 * ignoring case. Returns `unknown` if no type matches.
 */
export function metadataFiletypeFor(filename: string): MetadataFiletype {
  const name = lowerCaseAscii(filename.slice(-maxEndingLength - 1))
  const whole = wholeNames.get(name)
  if (whole !== undefined) return describe(whole)
  // At least one character must precede the ending, because `.json` is a hidden file, not a JSON file.
  for (let start = 1; start < name.length; start += 1) {
    const row = endings.get(name.slice(start))
    if (row !== undefined) return describe(row)
  }
  return unknownType
}

function describe({ identifier, name, pattern }: MetadataFiletypeRow): MetadataFiletype {
  const dot = pattern.lastIndexOf('.')
  return { identifier, name, extension: dot === -1 ? null : lowerCaseAscii(pattern.slice(dot + 1)) }
}

/**
 * Returns the type as it appears in responses. The name of an unknown identifier, which a newer version of the service
 * may have stored, is the identifier itself.
 */
export function metadataFiletypeResource(identifier: string): MetadataFiletype {
  if (identifier === unknownType.identifier) return unknownType
  const row = byIdentifier.get(identifier)
  return row === undefined ? { identifier, name: identifier, extension: null } : describe(row)
}
