import type { TObject } from 'typebox'
import { invalid } from './validation.ts'

const maxEdits = 2
const maxListed = 10
const maxListedLength = 40

/**
 * Returns the query parameters that the endpoint does not define. Throws `invalid` if one is probably a misspelling,
 * such as `label`, `streem` or `labels[]`: ignoring a filter would return everything, which a script may then delete.
 */
export function requireNoMisspelledKeys(schema: TObject | undefined, query: object): string[] {
  const known = Object.keys(schema?.properties ?? {})
  const unknown = Object.keys(query).filter((key) => !known.includes(key))
  const misspelled = unknown.flatMap((key) => {
    const intended = intendedKey(key, known)
    return intended === undefined ? [] : [explain(key, intended)]
  })
  if (misspelled.length > 0)
    throw invalid(Object.fromEntries(misspelled.slice(0, maxListed)), 'A query parameter is invalid.')
  return unknown
}

/** Returns a sentence that reports the ignored query parameters; an empty string if there are none. */
export function ignoredKeysNote(keys: readonly string[]): string {
  if (keys.length === 0) return ''
  const listed = keys.slice(0, maxListed).map((key) => `\`${key.slice(0, maxListedLength)}\``)
  const more = keys.length > maxListed ? ` and ${keys.length - maxListed} more` : ''
  const noun = keys.length === 1 ? 'parameter' : 'parameters'
  return ` Ignored unknown query ${noun}: ${listed.join(', ')}${more}.`
}

/** Returns the error messages, keyed by the parameter name without brackets. */
function explain(key: string, intended: string): [name: string, texts: string[]] {
  const name = nameOf(key)
  const text =
    name === key
      ? `is not a query parameter. Did you mean \`${intended}\`?`
      : `\`${key.slice(0, maxListedLength)}\` is not a query parameter. Use \`${intended}\` without brackets; separate several values with commas.`
  return [name, [text]]
}

/** Returns the part of a key before the brackets that some clients add for lists. */
const nameOf = (key: string): string => key.split('[', 1)[0] ?? ''

/** Returns the closest known key within two edits of the key without brackets. */
function intendedKey(key: string, known: readonly string[]): string | undefined {
  const name = nameOf(key)
  let intended: string | undefined
  let fewestEdits = maxEdits + 1
  for (const candidate of known) {
    const edits = editDistance(name, candidate)
    // A key that shares fewer than half of its letters is a different word.
    if (edits >= fewestEdits || 2 * edits > Math.max(name.length, candidate.length)) continue
    intended = candidate
    fewestEdits = edits
  }
  return intended
}

/** Returns the Levenshtein distance, or some number greater than `maxEdits` if the distance exceeds it. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > maxEdits) return maxEdits + 1
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    let left = i
    let diagonal = i - 1
    row = row.map((above, j) => {
      if (j === 0) return i
      left = Math.min(above + 1, left + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1))
      diagonal = above
      return left
    })
  }
  return row.at(-1) ?? 0
}
