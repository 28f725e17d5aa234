import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { routes } from '../src/routes.ts'
import type { Fixture } from './world.ts'

export type Schema = TSchema & {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  minItems?: number
  minProperties?: number
  maxItems?: number
  maxLength?: number
  examples?: unknown[]
  textKind?: string
  takesNumbers?: true
}

/** Values that cannot be derived from a schema, by dotted field path. */
const known: Record<string, unknown> = {
  name: 'Name',
  platform: 'linux',
  stream: 'default',
  source: 'cli-upload',
  filename: 'notes.txt',
  'primary_file.filename': 'app.tar.gz',
  'expansion_files.0.filename': 'main.1.game.obb',
  version_component_1_major: 1,
  bucket: 'builds',
  // API keys cannot have personal views.
  visibility: 'team',
  checksum_sha256: '0'.repeat(64),
  // The size of the file of the open upload in world.ts.
  ranges: [{ size_bytes: 1000 }],
}

/** Fields that are named like Quayside IDs but contain IDs from other systems. */
const foreignIds = new Set(['ci_run_id', 'access_key_id'])

/** Returns the names of the body fields that contain Quayside IDs. */
export function idFields({ body }: Endpoint): string[] {
  const names = Object.keys((body as Schema | undefined)?.properties ?? {})
  return names.filter((name) => /_ids?$/.test(name) && !foreignIds.has(name))
}

/** Returns the fixture's ID for a path parameter or body field. */
export function idFor(fixture: Fixture, endpoint: Endpoint, name: string): string {
  const isBelowApplication = endpoint.path.startsWith('/applications/:')
  const ids = isBelowApplication ? fixture.ids : { ...fixture.ids, ...fixture.workspaceIds }
  const isMetadata = name === 'pending_upload_id' && endpoint.path.includes('/metadata/')
  const ofPermalink = endpoint.path.includes('/permalinks/') ? ids[`permalink_${name}`] : undefined
  const id = ofPermalink ?? ids[isMetadata ? `metadata_${name}` : name.replace(/_ids$/, '_id')]
  assert.ok(
    id !== undefined,
    `${endpoint.method} ${endpoint.path} has the parameter "${name}", which test/world.ts does not know. Add an id that exists to Fixture.ids.`,
  )
  return id
}

/** Returns whether valid input names an S3 server or a chat, to which the tests of these features send requests. */
export const needsOtherServer = ({ method, path }: Endpoint): boolean =>
  (path.includes('/custom-store') && (method === 'PUT' || method === 'POST')) ||
  path === '/notification-settings/test'

/** Returns whether the endpoint deletes a resource whose ID is in the paths of other endpoints. */
export const deletesParent = ({ method, path }: Endpoint): boolean =>
  method === 'DELETE' && Object.values(routes).some((other) => other.path.startsWith(`${path}/`))

/** Returns the ID, wrapped in an array if the body field is an array. */
export function idValue({ body }: Endpoint, name: string, id: string): string | string[] {
  return (body as Schema).properties?.[name]?.type === 'array' ? [id] : id
}

export const pathNames = ({ path }: Endpoint): string[] => [...path.matchAll(/:(\w+)/g)].map(([, n]) => n!)

export function fillPath(endpoint: Endpoint, values: Record<string, string>): string {
  return endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

export function idsOf(fixture: Fixture, endpoint: Endpoint): Record<string, string> {
  return Object.fromEntries(pathNames(endpoint).map((name) => [name, idFor(fixture, endpoint, name)]))
}

/** Returns a valid body with the required fields and the fields named in `also`. */
export function sampleBody(
  fixture: Fixture,
  endpoint: Endpoint,
  also: string[] = idFields(endpoint),
): unknown {
  if (endpoint.body === undefined) return undefined
  const { properties = {}, required = [], minProperties = 0 } = endpoint.body as Schema
  const names = new Set([...required, ...also])
  const [first] = Object.keys(properties)
  if (names.size < minProperties && first !== undefined) names.add(first)
  const ids = new Set(idFields(endpoint))
  const fields = [...names].map((name) => [
    name,
    ids.has(name)
      ? idValue(endpoint, name, idFor(fixture, endpoint, name))
      : (fixture.texts[name]?.() ?? sample(properties[name]!, name)),
  ])
  return Object.fromEntries(fields)
}

/** Returns the value in `known` for the path, or a value that matches the schema. */
export function sample(schema: Schema, path: string): unknown {
  if (path in known) return known[path]
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.anyOf !== undefined) return sample(schema.anyOf[0]!, path)
  if (schema.properties !== undefined) {
    const { properties, required = [] } = schema
    return Object.fromEntries(required.map((name) => [name, sample(properties[name]!, `${path}.${name}`)]))
  }
  if (schema.type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, (_, i) => sample(schema.items!, `${path}.${i}`))
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  return schema.type === 'boolean' ? false : 'x'
}
