import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { idFields, pathNames, type Schema } from './sample.ts'

/** A part of a request that can identify a resource. */
export type Position = { part: 'path' | 'query' | 'body'; name: string; isList: boolean }

/** A position in the requests of an endpoint with a key. */
export type Target = { name: string; endpoint: Endpoint; position: Position; key: string | null }

/** Body fields that accept a name as well as an ID. */
const named = new Set(['stream', 'label', 'custom_target', 'move_to'])

/** Returns whether the body contains names that are compared later and need not exist yet. */
const comparesNames = ({ path }: Endpoint): boolean => path.startsWith('/notification-rules')

/** Query parameters with a text that a badge shows. They do not identify a resource. */
export const badgeQueries = ['color', 'label']

export const filtersOf = ({ query }: Endpoint): string[] =>
  (Object.entries(query?.properties ?? {}) as [string, Schema][])
    .filter(([, { type, enum: values }]) => type === 'string' && values === undefined)
    .map(([name]) => name)

/** Returns the parts of a request to the endpoint that can identify a resource. */
export function positionsOf(endpoint: Endpoint): Position[] {
  const bodyFields = Object.entries((endpoint.body as Schema | undefined)?.properties ?? {})
  const ids = new Set(idFields(endpoint))
  return [
    ...pathNames(endpoint).map((name) => ({ part: 'path' as const, name, isList: false })),
    ...filtersOf(endpoint)
      // A grant proves that the caller entered the password. It does not identify a resource.
      .filter((name) => name !== 'grant' && !badgeQueries.includes(name))
      .map((name) => ({ part: 'query' as const, name, isList: false })),
    ...bodyFields
      .filter(([name]) => ids.has(name) || (named.has(name) && !comparesNames(endpoint)))
      .map(([name, { type }]) => ({ part: 'body' as const, name, isList: type === 'array' })),
  ]
}

/** Returns what looks up a value. Endpoints look up the IDs that begin their paths alike by the same functions. */
export function lookupOf({ endpoint: { path }, position: { part, name } }: Target): string {
  const end = part === 'path' ? path.indexOf(`:${name}`) + name.length + 1 : path.length
  return `${path.slice(0, end)} ${part} ${name}`
}
