import { isObject } from './companion-json.ts'

type Match = { text: string; type: string }
export type Search = {
  query: Match | undefined
  inclusions: (Match & { field: string })[]
  filters: (Match & { field: string })[]
}

/** The fields by which the source cannot be searched, so that clients do not send them. */
export const unsupportedFields = [
  'Command',
  'Moniker',
  'Tag',
  'NormalizedPackageNameAndPublisher',
  'UpgradeCode',
  'HasInstallerType',
  'Market',
]

const maxConditions = 100

/** Returns what a client searches, or undefined if the body is not a search. */
export function readSearch(body: Buffer): Search | undefined {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  return {
    query: readMatch(value['Query']),
    inclusions: readConditions(value['Inclusions']),
    filters: readConditions(value['Filters']),
  }
}

function readMatch(value: unknown): Match | undefined {
  if (!isObject(value)) return undefined
  const { KeyWord: text, MatchType: type } = value
  return typeof text === 'string' && text !== ''
    ? { text, type: typeof type === 'string' ? type : 'Substring' }
    : undefined
}

const readConditions = (value: unknown): Search['inclusions'] =>
  (Array.isArray(value) ? value : []).slice(0, maxConditions).flatMap((each: unknown) => {
    const match = isObject(each) ? readMatch(each['RequestMatch']) : undefined
    const field = isObject(each) ? each['PackageMatchField'] : undefined
    return match === undefined || typeof field !== 'string' ? [] : [{ ...match, field }]
  })

type Values = Readonly<Record<string, string | readonly string[]>>

/** Returns whether a package is among the results: it matches the query or an inclusion, if there are any, and each filter. */
export function matchesSearch({ query, inclusions, filters }: Search, values: Values): boolean {
  const valuesOf = (field: string): string[] =>
    Object.hasOwn(values, field) ? [values[field] ?? []].flat() : []
  const isFound = (match: Match, texts: readonly string[]) => texts.some((text) => matches(match, text))
  const isIncluded =
    (query !== undefined && isFound(query, [...valuesOf('PackageIdentifier'), ...valuesOf('PackageName')])) ||
    inclusions.some((each) => isFound(each, valuesOf(each.field)))
  return (
    (isIncluded || (query === undefined && inclusions.length === 0)) &&
    filters.every((each) => isFound(each, valuesOf(each.field)))
  )
}

function matches({ text, type }: Match, value: string): boolean {
  const [sought, found] = [text.toLowerCase(), value.toLowerCase()]
  switch (type) {
    case 'Exact':
      return value === text
    case 'CaseInsensitive':
      return found === sought
    case 'StartsWith':
      return found.startsWith(sought)
    default:
      return found.includes(sought)
  }
}
