import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { routes } from '../src/routes.ts'
import { concurrently } from './concurrently.ts'
import { assertNoChanges, randomIds, send } from './endpoint-calls.ts'
import { startService, type Service } from './harness.ts'
import { insertMember } from './people.ts'
import { idsOf, pathNames, sampleBody } from './sample.ts'
import { covers, forOwners, lineFor, ownersOnly, refusalOf } from './scope-table.ts'
import { createWorld, type World } from './world.ts'

/** The scopes of each role. The table is not derived from the code, so it detects a role with an incorrect scope. */
const workspaceRoles: Record<string, string | undefined> = {
  owner: 'everything',
  admin: 'everything',
  member: 'workspace:read members:read',
}
const applicationRoles: Record<string, string> = {
  admin: 'application:write members:write builds:write releases:write share_links:write webhooks:write',
  developer: 'application:read members:read builds:write releases:write share_links:write webhooks:write',
  qa: 'application:read members:read builds:write releases:read share_links:create webhooks:read',
  readonly: 'application:read members:read builds:read releases:read share_links:read webhooks:read',
}

/** A signed-in user. The application role is the role in `world.own`. */
type Caller = { name: string; session: string; workspaceRole: string; applicationRole: string | undefined }

let service: Service
let world: World
let callers: Caller[]

before(async () => {
  service = await startService()
  world = await createWorld(service)
  const roles = [
    ...Object.keys(workspaceRoles).map((role) => [role, undefined] as const),
    ...Object.keys(applicationRoles).map((role) => ['member', role] as const),
  ]
  callers = []
  for (const [workspaceRole, applicationRole] of roles) {
    const id = await insertMember(service, world.own, { workspaceRole, applicationRole })
    const session = await service.signIn(id)
    const name = `${workspaceRole} with the application role ${applicationRole}`
    callers.push({ name, session, workspaceRole, applicationRole })
  }
})
after(() => service.close())

const endpoints: [string, Endpoint][] = Object.entries(routes).filter(([, { scope }]) => scope !== 'public')

const isBelowApplication = (endpoint: Endpoint): boolean => pathNames(endpoint).includes('application_id')

const holds = (scopes: string, needed: string): boolean =>
  needed !== 'never' && (needed === 'any' || scopes.split(' ').some((held) => covers(held, needed)))

/** Returns the message with which the endpoint must refuse the caller, or undefined if it must not. */
function refusalFor(
  { workspaceRole, applicationRole }: Caller,
  name: string,
  endpoint: Endpoint,
): string | undefined {
  const { needs } = lineFor(endpoint)!
  if (workspaceRole === 'admin' && forOwners.has(name)) return ownersOnly
  if (workspaceRole !== 'member' || needs.application === 'session') return undefined
  const scopes = applicationRole === undefined ? '' : applicationRoles[applicationRole]!
  if (isBelowApplication(endpoint) || needs.application !== 'never') {
    if (holds(scopes, needs.application)) return undefined
    return refusalOf(needs.application === 'never' ? needs.workspace : needs.application)
  }
  return holds(workspaceRoles[workspaceRole]!, needs.workspace) ? undefined : refusalOf(needs.workspace)
}

test('allows each role exactly the endpoints in the role table and changes nothing when it refuses', async (t) => {
  const differences: string[] = []
  const probes = callers.flatMap((caller) =>
    endpoints.map(([name, endpoint]) => ({
      name,
      endpoint,
      caller,
      refusal: refusalFor(caller, name, endpoint),
    })),
  )
  const run = (some: typeof probes) =>
    concurrently(8, some, async ({ name, endpoint, caller, refusal }) => {
      // Owners and admins may delete the application, so their requests contain unknown IDs only.
      const isMember = caller.applicationRole !== undefined
      const known =
        isMember && isBelowApplication(endpoint) ? { application_id: world.own.applicationId } : {}
      const ids = { ...randomIds(world, endpoint), ...known }
      const body = endpoint.method === 'GET' ? undefined : {}
      const response = await send(service, endpoint, ids, { key: caller.session, body })
      const { status } = response
      const isOutside = caller.workspaceRole === 'member' && !isMember && isBelowApplication(endpoint)
      const isExpected = isOutside
        ? status === 404
        : refusal === undefined
          ? ![
              401,
              403,
              ...(isMember && pathNames(endpoint).length === 1 && 'application_id' in known ? [404] : []),
            ].includes(status)
          : status === 403 && response.body.message === refusal
      if (!isExpected)
        differences.push(
          `${name}, ${caller.name}: expected ${refusal ?? 'access'}, got ${status} ${response.text}`,
        )
    })
  await assertNoChanges(service, () => run(probes.filter(({ refusal }) => refusal !== undefined)))
  await run(probes.filter(({ refusal }) => refusal === undefined))
  t.diagnostic(`${probes.length} probes, ${differences.length} differences`)
  assert.ok(probes.length === endpoints.length * 7)
  assert.deepEqual(differences.slice(0, 20), [])
})

test('returns the same 404 for an application that the user cannot access as for an unknown one', async () => {
  const { own, sibling, foreign } = world
  const differences: string[] = []
  const probes = callers
    .filter(({ applicationRole, workspaceRole }) => applicationRole === 'admin' || workspaceRole === 'owner')
    .flatMap(({ name: role, session: key, workspaceRole }) =>
      endpoints
        .filter(([, endpoint]) => isBelowApplication(endpoint))
        .flatMap(([name, endpoint]) =>
          (workspaceRole === 'owner' ? [foreign] : [sibling, foreign]).map((fixture) => ({
            context: `${name}, ${role}`,
            endpoint,
            key,
            fixture,
          })),
        ),
    )
  await assertNoChanges(service, () =>
    concurrently(8, probes, async ({ context, endpoint, key, fixture }) => {
      const body = endpoint.method === 'GET' ? undefined : sampleBody(own, endpoint)
      const { status, body: received } = await send(service, endpoint, idsOf(fixture, endpoint), {
        key,
        body,
      })
      if (status !== 404 || received.message !== 'Not found.') differences.push(`${context}: ${status}`)
    }),
  )
  assert.deepEqual(differences.slice(0, 20), [])
})

const unsafe = endpoints.filter(([, { method }]) => method !== 'GET')

test('refuses every change with a session cookie from another origin and changes nothing', async () => {
  const { ownerSession: cookie } = world.own
  const { port } = new URL(service.url)
  const origins = [
    {},
    { origin: 'null' },
    { origin: 'https://attacker.example.com' },
    { origin: `http://localhost.attacker.example.com:${port}` },
    { origin: `http://localhost:${Number(port) + 1}` },
  ]
  const probes = unsafe.flatMap(([name, endpoint], number) =>
    // Each endpoint gets a request without an origin and one with an origin of another site.
    [{}, origins[1 + (number % (origins.length - 1))]!].map((headers) => ({ name, endpoint, headers })),
  )
  await assertNoChanges(service, () =>
    concurrently(8, probes, async ({ name, endpoint, headers }) => {
      const body = sampleBody(world.own, endpoint)
      const options = { key: null, body, headers: { cookie, ...headers } }
      const response = await send(service, endpoint, idsOf(world.own, endpoint), options)
      const context = `${name} ${JSON.stringify(headers)}`
      assert.deepEqual([response.status, response.body.code], [403, 'session.cross_origin'], context)
    }),
  )
})

test('accepts API keys from every origin, even with a session cookie', async () => {
  const { workspaceKey, ownerSession: cookie } = world.own
  const headers = { cookie, origin: 'https://attacker.example.com' }
  const withScope = unsafe.filter(([, endpoint]) => lineFor(endpoint)!.needs.workspace !== 'session')
  await concurrently(8, withScope, async ([name, endpoint]) => {
    const options = { key: workspaceKey, body: {}, headers }
    const { status } = await send(service, endpoint, randomIds(world, endpoint), options)
    assert.ok(![401, 403].includes(status), `${name} ${status}`)
  })
})

test('accepts changes with a session cookie from the public URL and from the host of the request', async () => {
  const { ownerSession: cookie } = world.own
  const path = `http://127.0.0.1:${new URL(service.url).port}/api/v1/workspace/labels`
  for (const [number, origin] of [new URL(service.url).origin, new URL(path).origin].entries()) {
    const body = { name: `from origin ${number}` }
    const { status } = await service.call('POST', path, { key: null, body, headers: { cookie, origin } })
    assert.equal(status, 201, origin)
  }
})

test('answers reads with a session cookie from every origin', async () => {
  const headers = { cookie: world.own.ownerSession, origin: 'https://attacker.example.com' }
  const { status, headers: received } = await service.call('GET', '/session', { key: null, headers })
  assert.equal(status, 200)
  assert.equal(received.get('access-control-allow-origin'), null)
})
