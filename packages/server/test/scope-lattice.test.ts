import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../src/http/endpoint.ts'
import { applicationScopes, workspaceScopes, type Scope } from '../src/http/scopes.ts'
import { routes } from '../src/routes.ts'
import { atOnce } from './at-once.ts'
import { randomIds, send } from './endpoint-calls.ts'
import { startService, type Service } from './harness.ts'
import { createWorld, type World } from './world.ts'

/** Contract section 5 and api.md section 2: the levels of each resource, weakest first. */
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
 * Method, path, what a workspace key needs, what an application key needs; `any` = a key of that kind, `never` = out
 * of its reach. The first line that fits holds; `*` at the end stands for all that is below, or nothing.
 */
const table = `
# contract 4.1
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

# contract 5 with api.md 2, 3 and 5: applications
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

# builds, releases, share links, webhooks, for both kinds
GET /applications/{application_id}/builds/{build_id}/share-links | share_links:read | share_links:read
POST /applications/{application_id}/builds/{build_id}/share-links | share_links:create | share_links:create
GET /applications/{application_id}/releases/{release_id}/share-links | share_links:read | share_links:read
POST /applications/{application_id}/releases/{release_id}/share-links | share_links:create | share_links:create
PATCH,DELETE /share-links/* | share_links:write | share_links:write
GET /applications/{application_id}/builds/* | builds:read | builds:read
POST,PUT,PATCH,DELETE /applications/{application_id}/builds/* | builds:write | builds:write
GET,POST /upload/* | builds:create | builds:create
POST /applications/{application_id}/releases | releases:create | releases:create
POST,PUT,PATCH,DELETE /applications/{application_id}/releases/* | releases:write | releases:write
POST /applications/{application_id}/webhooks | webhooks:create | webhooks:create
GET /applications/{application_id}/webhooks/* | webhooks:read | webhooks:read
POST,PATCH,DELETE /applications/{application_id}/webhooks/* | webhooks:write | webhooks:write

# what else an application has: its streams, labels, targets, platforms, icon
GET /applications/{application_id}/* | applications:read | application:read
POST,PUT,PATCH,DELETE /applications/{application_id}/* | applications:write | application:write

# for workspace keys alone
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

# people are known to every key; links and tokens speak for themselves
GET /users/{user_id} | any | any
POST /auth/oidc/token | public | public
POST /invitations/{token}/accept | public | public
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

/** Contract 5.3: write includes create, create includes read. */
function suffices(held: string, needed: string): boolean {
  const [resource, level = ''] = held.split(':')
  const [wanted, least = ''] = needed.split(':')
  return resource === wanted && levels.indexOf(level) >= levels.indexOf(least)
}

let service: Service
let world: World

before(async () => {
  service = await startService()
  world = await createWorld(service)
})
after(() => service.close())

const endpoints: [string, Endpoint][] = Object.entries(routes)

test('the scopes that keys can hold are those of the contract and of api.md', () => {
  assert.deepEqual([...workspaceScopes].toSorted(), scopesOf('workspace').toSorted())
  assert.deepEqual([...applicationScopes].toSorted(), scopesOf('application').toSorted())
})

test('every endpoint has its line in the table, and every line its endpoint', () => {
  const used = new Set(endpoints.map(([, endpoint]) => lineFor(endpoint)))
  const hint = 'say here what the contract or api.md asks of a key, not what the endpoint says of itself'
  const bare = endpoints.filter(([, endpoint]) => lineFor(endpoint) === undefined)
  assert.deepEqual(
    bare.map(([name, { method, path }]) => `${name}: ${method} ${path}`),
    [],
    hint,
  )
  assert.deepEqual(
    lines.filter((line) => !used.has(line)).map(({ text }) => text),
    [],
  )
})

test('§5 missing scope, §5 hierarchical levels, §5 workspace sense: every endpoint, with keys of both kinds that hold each scope, none, all and all but what it needs, is as the table says', async (t) => {
  const kinds: Kind[] = ['workspace', 'application']
  const { workspaceId, applicationId } = world.own
  const keys = new Map<string, Promise<string>>()
  const keyWith = (kind: Kind, held: string[]): Promise<string> => {
    const name = `${kind} ${held.join(' ')}`
    const owner = kind === 'application' ? applicationId : null
    const key = keys.get(name) ?? service.key(workspaceId, owner, held as Scope[])
    keys.set(name, key)
    return key
  }

  const probes = endpoints.flatMap(([name, endpoint]) =>
    kinds.flatMap((kind) => {
      const { needs } = lineFor(endpoint)!
      const all = scopesOf(kind)
      const sets = [[], all, all.filter((held) => !suffices(held, needs[kind])), ...all.map((one) => [one])]
      return sets.map((held) => ({ name, endpoint, kind, needs, held }))
    }),
  )
  const differences: string[] = []
  await atOnce(8, probes, async ({ name, endpoint, kind, needs, held }) => {
    const key = await keyWith(kind, held)
    const body = endpoint.method === 'GET' ? undefined : {}
    const { status, body: answer } = await send(service, endpoint, randomIds(world, endpoint), { key, body })
    const needed = needs[kind]
    const isOpen = ['any', 'public'].includes(needed) || held.some((one) => suffices(one, needed))
    const named = needed === 'never' ? needs.workspace : needed
    const isAsSaid = isOpen
      ? ![401, 403].includes(status)
      : status === 403 && answer.message === `This action requires '${named}' scope.`
    if (!isAsSaid)
      differences.push(
        `${name}, ${kind} key with [${held.join(' ')}], table: ${isOpen ? 'open' : `403 ${named}`}, answer: ${status} ${answer?.message}`,
      )
  })
  t.diagnostic(`${probes.length} probes, ${differences.length} differences`)
  assert.ok(probes.length > endpoints.length * 40)
  assert.deepEqual(differences, [])
})
