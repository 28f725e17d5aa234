import type { TObject } from 'typebox'
import { findSimilarName } from '../../lib/similar-name.ts'
import type { Endpoint } from './endpoint.ts'
import { invalid } from './validation.ts'

const maxEdits = 2
const maxListed = 10
const maxListedLength = 40

/**
 * Returns the query parameters that the endpoint does not define. Throws `invalid` if a parameter is probably a
 * misspelling, such as `label`, `streem` or `labels[]`: if the filter were ignored, the response would contain
 * everything, which a script might then delete.
 */
export function requireNoMisspelledKeys(schema: TObject | undefined, query: object): string[] {
  const known = Object.keys(schema?.properties ?? {})
  const unknown = Object.keys(query).filter((key) => !known.includes(key))
  const misspelled = unknown.flatMap((key) => {
    const intended = findSimilarName(nameOf(key), known, maxEdits)
    return intended === undefined ? [] : [explain(key, intended)]
  })
  if (misspelled.length > 0)
    throw invalid(Object.fromEntries(misspelled.slice(0, maxListed)), 'A query parameter is invalid.')
  return unknown
}

/** Adds a sentence about the ignored query parameters to the message of a list. Returns other responses unchanged. */
export function reportIgnoredKeys(
  { returns }: Pick<Endpoint, 'returns'>,
  result: unknown,
  keys: readonly string[],
) {
  const { properties } = returns as { properties?: { data?: { type?: string } } }
  if (keys.length === 0 || properties?.data?.type !== 'array') return result
  const { message, ...rest } = result as { message: string }
  return { message: `${message}${ignoredKeysNote(keys)}`, ...rest }
}

/** Returns a sentence that lists the ignored query parameters, or an empty string if there are none. */
function ignoredKeysNote(keys: readonly string[]): string {
  if (keys.length === 0) return ''
  const listed = keys.slice(0, maxListed).map((key) => `\`${key.slice(0, maxListedLength)}\``)
  const more = keys.length > maxListed ? ` and ${keys.length - maxListed} more` : ''
  const noun = keys.length === 1 ? 'parameter' : 'parameters'
  return ` Ignored unknown query ${noun}: ${listed.join(', ')}${more}.`
}

/** Returns the name of the parameter, with any brackets removed, and the error messages for it. */
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
