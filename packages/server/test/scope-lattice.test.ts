import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../src/http/endpoint.ts'
import { applicationScopes, workspaceScopes, type Scope } from '../src/http/scopes.ts'
import { routes } from '../src/routes.ts'
import { concurrently } from './concurrently.ts'
import { assertNoChanges, randomIds, send } from './endpoint-calls.ts'
import { startService, type Service } from './harness.ts'
import { idsOf, sampleBody } from './sample.ts'
import { createWorld, type World } from './world.ts'

/** The access levels for each resource, weakest first (docs/contract.md, section 5). */
const resources = {
  workspace: {
    workspace: 'read write',
    members: 'read write',
    applications: 'read create write',
    builds: 'read create write',
    releases: 'read create write',
    share_links: 'read create write',
    distribution_groups: 'read create write',
    portals: 'read write',
    webhooks: 'read create write',
    api_keys: 'read create write',
  },
  application: {
    application: 'read write',
    members: 'read create write',
    builds: 'read create write',
    releases: 'read create write',
    share_links: 'read create write',
    webhooks: 'read create write',
  },
}

type Kind = keyof typeof resources
const levels = ['read', 'create', 'write']

/**
 * Each line lists methods, a path, and the scopes that a workspace key and an application key need: `any` accepts every
 * key, and `never` accepts none. `*` matches the rest of a path. The first matching line applies. The table is not
 * derived from the endpoints, so it detects an endpoint with an incorrect scope.
 */
const table = `
# docs/contract.md, section 4.1
GET /applications | applications:read | any
GET /applications/{application_id} | applications:read | any
GET /applications/{application_id}/members | applications:read | members:read
GET /applications/{application_id}/platforms | applications:read | application:read
GET /applications/{application_id}/labels | applications:read | application:read
GET /applications/{application_id}/streams | applications:read | application:read
GET /applications/{application_id}/custom-targets/{target_identifier} | applications:read | application:read
GET /applications/{application_id}/builds | builds:read | builds:read
GET /applications/{application_id}/builds/{build_id}/metadata | builds:read | builds:read
GET /applications/{application_id}/builds/{build_id}/metadata/{artifact_id} | builds:read | builds:read
GET /applications/{application_id}/releases | releases:read | releases:read
GET /applications/{application_id}/releases/{release_id} | releases:read | releases:read
GET /applications/{application_id}/webhooks | webhooks:read | webhooks:read
GET /applications/{application_id}/webhooks/{webhook_id} | webhooks:read | webhooks:read
GET /workspace/labels | workspace:read | never
GET /workspace/labels/{label_identifier} | workspace:read | never
GET /workspace/default-streams | workspace:read | never
POST /upload/request | builds:create | builds:create
POST /upload/request/multipart | builds:create | builds:create
POST /upload/verify | builds:create | builds:create
POST /upload/metadata/verify | builds:create | builds:create
GET /workspace | any | any

# applications
POST /applications | applications:create | never
PATCH /applications/{application_id} | applications:write | application:write
DELETE /applications/{application_id} | applications:write | never
POST /applications/{application_id}/restore | applications:write | never
GET /applications/{application_id}/api-keys | api_keys:read | never
POST /applications/{application_id}/api-keys | api_keys:create | never
DELETE /applications/{application_id}/api-keys/* | api_keys:write | never
GET /applications/{application_id}/trusted-publishers* | api_keys:read | never
POST /applications/{application_id}/trusted-publishers | api_keys:create | never
PATCH,DELETE /applications/{application_id}/trusted-publishers/* | api_keys:write | never
POST /applications/{application_id}/members | applications:write | never
PATCH,DELETE /applications/{application_id}/members/* | applications:write | members:write
POST /applications/{application_id}/labels/{label_identifier}/promote | workspace:write | never
POST /applications/{application_id}/custom-targets/{target_identifier}/promote | workspace:write | never

# builds, releases, share links and webhooks, for both kinds of keys
GET /applications/{application_id}/builds/{build_id}/share-links | share_links:read | share_links:read
POST /applications/{application_id}/builds/{build_id}/share-links | share_links:create | share_links:create
GET /applications/{application_id}/releases/{release_id}/share-links | share_links:read | share_links:read
POST /applications/{application_id}/releases/{release_id}/share-links | share_links:create | share_links:create
PATCH,DELETE /share-links/* | share_links:write | share_links:write
GET /applications/{application_id}/builds/* | builds:read | builds:read
GET /applications/{application_id}/changes | builds:read | builds:read
GET /applications/{application_id}/events | builds:read | builds:read
GET /workspace/events | builds:read | builds:read
POST /applications/{application_id}/builds/downloads | builds:read | builds:read
POST,PUT,PATCH,DELETE /applications/{application_id}/builds/* | builds:write | builds:write
GET /upload | builds:create | builds:create
GET,POST /upload/* | builds:create | builds:create
POST /applications/{application_id}/releases | releases:create | releases:create
POST,PUT,PATCH,DELETE /applications/{application_id}/releases/* | releases:write | releases:write
POST /applications/{application_id}/webhooks | webhooks:create | webhooks:create
GET /applications/{application_id}/webhooks/* | webhooks:read | webhooks:read
POST,PATCH,DELETE /applications/{application_id}/webhooks/* | webhooks:write | webhooks:write

# everything else below an application: streams, labels, targets, platforms, icon
GET /applications/{application_id}/* | applications:read | application:read
POST,PUT,PATCH,DELETE /applications/{application_id}/* | applications:write | application:write

# workspace keys only
GET /distribution-groups* | distribution_groups:read | never
POST /distribution-groups | distribution_groups:create | never
POST,PUT,PATCH,DELETE /distribution-groups/* | distribution_groups:write | never
GET /portals* | portals:read | never
POST,PUT,PATCH,DELETE /portals* | portals:write | never
GET /workspace/api-keys | api_keys:read | never
POST /workspace/api-keys | api_keys:create | never
DELETE /workspace/api-keys/* | api_keys:write | never
GET /workspace/members | members:read | never
GET /workspace/invitations | members:read | never
GET /workspace/outbox | members:write | never
POST,PATCH,DELETE /workspace/members* | members:write | never
POST,PATCH,DELETE /workspace/invitations* | members:write | never
GET /workspace/* | workspace:read | never
POST,PUT,PATCH,DELETE /workspace* | workspace:write | never

# any key may read users; links and tokens need no key
GET /users/{user_id} | any | any
POST /auth/oidc/token | public | public
GET /invitations/{token} | public | public
POST /invitations/{token}/accept | public | public
POST /setup | public | public
GET,POST /public/* | public | public
`

type Line = { methods: string[]; path: string; needs: Record<Kind, string>; text: string }

const lines: Line[] = table
  .split('\n')
  .filter((text) => text !== '' && !text.startsWith('#'))
  .map((text) => {
    const [call = '', workspace = '', application = ''] = text.split(' | ')
    const [methods = '', path = ''] = call.split(' ')
    return { methods: methods.split(','), path, needs: { workspace, application }, text }
  })

function lineFor({ method, path }: Endpoint): Line | undefined {
  const named = path.replaceAll(/:(\w+)/g, '{$1}')
  return lines.find(
    (line) =>
      line.methods.includes(method) &&
      (line.path.endsWith('*') ? named.startsWith(line.path.slice(0, -1)) : named === line.path),
  )
}

const scopesOf = (kind: Kind): string[] =>
  Object.entries(resources[kind]).flatMap(([name, has]) => has.split(' ').map((level) => `${name}:${level}`))

/** Returns whether one scope includes another: write includes create, and create includes read. */
function covers(held: string, needed: string): boolean {
  const [resource, level = ''] = held.split(':')
  const [neededResource, neededLevel = ''] = needed.split(':')
  return resource === neededResource && levels.indexOf(level) >= levels.indexOf(neededLevel)
}

let service: Service
let world: World

before(async () => {
  service = await startService()
  world = await createWorld(service)
})
after(() => service.close())

const endpoints: [string, Endpoint][] = Object.entries(routes)

test('allows exactly the scopes in the contract for API keys', () => {
  assert.deepEqual([...workspaceScopes].toSorted(), scopesOf('workspace').toSorted())
  assert.deepEqual([...applicationScopes].toSorted(), scopesOf('application').toSorted())
})

test('has a line in the scope table for every endpoint and no unused lines', () => {
  const used = new Set(endpoints.map(([, endpoint]) => lineFor(endpoint)))
  const hint = 'add a line with the scopes that a key should need, not with those the endpoint declares'
  const missing = endpoints.filter(([, endpoint]) => lineFor(endpoint) === undefined)
  assert.deepEqual(
    missing.map(([name, { method, path }]) => `${name}: ${method} ${path}`),
    [],
    hint,
  )
  assert.deepEqual(
    lines.filter((line) => !used.has(line)).map(({ text }) => text),
    [],
  )
})

type Probe = {
  name: string
  endpoint: Endpoint
  key: string
  context: string
  ids: Record<string, string>
  body: unknown
  headers?: Record<string, string>
  /** The scope that a 403 response must name, or undefined if the key has the required scope. */
  missing: string | undefined
}

/**
 * Creates calls to every endpoint with workspace and application keys that have no scopes, all scopes, all insufficient
 * scopes, or a single scope.
 */
async function createProbes(): Promise<Probe[]> {
  const { own, foreign } = world
  const keys = new Map<string, string>()
  const keyWith = async (kind: Kind, held: string[]): Promise<string> => {
    const name = `${kind} key with [${held.join(' ')}]`
    const applicationId = kind === 'application' ? own.applicationId : null
    const key = keys.get(name) ?? (await service.key(own.workspaceId, applicationId, held as Scope[]))
    keys.set(name, key)
    return key
  }
  const probes: Probe[] = []
  for (const [name, endpoint] of endpoints)
    for (const kind of ['workspace', 'application'] as const) {
      const { needs } = lineFor(endpoint)!
      const needed = needs[kind]
      const all = scopesOf(kind)
      const insufficient = all.filter((held) => !covers(held, needed))
      for (const held of [[], all, insufficient, ...all.map((one) => [one])]) {
        const isOpen = ['any', 'public'].includes(needed) || held.some((one) => covers(one, needed))
        const missing = isOpen ? undefined : needed === 'never' ? needs.workspace : needed
        const key = await keyWith(kind, held)
        const context = `${name}, ${kind} key with [${held.join(' ')}]`
        const body = endpoint.method === 'GET' ? undefined : {}
        const probe = { name, endpoint, key, context, missing, ids: randomIds(world, endpoint), body }
        probes.push(probe)
        if (isOpen || held.length === 1) continue
        // A key without the scope must be rejected before the IDs and the body are read.
        const headers = { 'content-type': 'text/plain' }
        probes.push({ ...probe, ids: idsOf(own, endpoint), body: sampleBody(own, endpoint) })
        probes.push({ ...probe, ids: idsOf(foreign, endpoint), ...(body && { headers }) })
      }
    }
  return probes
}

async function differencesOf(probes: Probe[]): Promise<string[]> {
  const differences: string[] = []
  await concurrently(8, probes, async ({ endpoint, key, context, ids, body, headers = {}, missing }) => {
    const { status, body: responseBody } = await send(service, endpoint, ids, { key, body, headers })
    const isAsExpected =
      missing === undefined
        ? ![401, 403].includes(status)
        : status === 403 && responseBody.message === `This action requires '${missing}' scope.`
    if (!isAsExpected)
      differences.push(
        `${context}, expected ${missing ?? 'no 401 or 403'}, got ${status} ${responseBody?.message}`,
      )
  })
  return differences
}

test('accepts exactly the scopes in the scope table and changes nothing when it rejects a key (§5 missing scope, §5 hierarchical levels, §5 workspace-only scopes)', async (t) => {
  const probes = await createProbes()
  const rejected = probes.filter(({ missing }) => missing !== undefined)
  const accepted = probes.filter(({ missing }) => missing === undefined)
  const differences: string[] = []
  await assertNoChanges(service, async () => {
    differences.push(...(await differencesOf(rejected)))
  })
  differences.push(...(await differencesOf(accepted)))
  t.diagnostic(`${probes.length} probes, ${differences.length} differences`)
  assert.ok(probes.length > endpoints.length * 40)
  assert.deepEqual(differences.slice(0, 20), [])
})
