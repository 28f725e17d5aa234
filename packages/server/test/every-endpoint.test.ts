import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hashKey, generateKey } from '../src/features/api-keys/api-key.ts'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { workspaceScopes } from '../src/http/endpoint/scopes.ts'
import { routes } from '../src/routes.ts'
import { hashSetupToken, saveSetupLink } from '../src/sign-in/setup-link.db.ts'
import { someOf } from './acceptance/full-size.ts'
import { concurrently } from './concurrently.ts'
import { keysFor, assertNoChanges, randomIds, send } from './endpoint-calls.ts'
import { startService, type Service } from './harness.ts'
import { insertMember } from './people.ts'
import { deletesParent, idsOf, needsOtherServer, sampleBody } from './sample.ts'
import { createFixture, createWorld, type Fixture, type World } from './world.ts'

// Other files test scopes (scope-lattice.test.ts), IDs of other tenants (tenancy.test.ts) and invalid input
// (bad-input.long.test.ts).
let service: Service
let world: World

before(async () => {
  service = await startService()
  world = await createWorld(service)
})
after(() => service.close())

const endpoints: [string, Endpoint][] = Object.entries(routes)
const fixtures = new Map<string, Promise<Fixture>>()

const keyNames = ['workspaceKey', 'applicationKey', 'ownerSession'] as const

/** Endpoints whose sample input conflicts with the fixture. */
const conflicting = new Set(
  `approveAccessRequest createApplicationMember createChannel createCustomTarget createLabel createShareGrant createStream createView deleteBuild
  deleteScimToken publishPortalRelease redeliverWebhookRequest replacePlatforms restoreAccessRequest restoreApplication restoreBuild restoreView
  scheduleRelease
  verifyPortalDomain verifyUpload`.split(/\s+/),
)

/** Calls that find nothing, with their query. */
const findsNothing = new Map([['checkPortalDomain', '?domain=unknown.example']])

/**
 * Returns a shared fixture, or a new fixture if the call deletes resources that other calls need. Deletions with the
 * application key use different fixtures than those with the workspace key.
 */
function fixtureFor(index: number, endpoint: Endpoint, key: string | null): Promise<Fixture> {
  const { method, path } = endpoint
  if (method === 'GET') return Promise.resolve(world.own)
  // Removing an application from a portal also withdraws its releases.
  if (deletesParent(endpoint) || /(abort|bulk|withdraw|:application_id)$/.test(path))
    return createFixture(service)
  // Neighboring routes create and rename the same kind of resource, so they use different fixtures.
  const group = method === 'DELETE' ? `deletions with ${key}` : `${index % 12}`
  const fixture = fixtures.get(group) ?? createFixture(service)
  fixtures.set(group, fixture)
  return fixture
}

/** Returns headers that must not authenticate a request. */
async function headersWithoutValidKey(): Promise<Record<string, string>[]> {
  const { db } = service.deps
  const { workspaceId, applicationId, workspaceKey } = world.own
  const past = '2026-01-01T00:00:00Z'
  const unusableKey = async (columns: { expires_at: string } | { revoked_at: string }) => {
    const key = await service.key(workspaceId, null, workspaceScopes)
    await db.updateTable('api_keys').set(columns).where('key_sha256', '=', hashKey(key)).execute()
    return key
  }
  const trashed = await service.tenant()
  await db
    .updateTable('applications')
    .set({ deleted_at: past })
    .where('id', '=', trashed.applicationId)
    .execute()
  const invalidKeys = [
    await unusableKey({ expires_at: past }),
    await unusableKey({ revoked_at: past }),
    trashed.applicationKey,
    generateKey('workspace'),
    generateKey('application'),
    `${workspaceKey}x`,
    workspaceKey.slice(0, -1),
    applicationId,
    `${workspaceKey} ${workspaceKey}`,
  ]
  return [
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: workspaceKey },
    { authorization: `Basic ${Buffer.from(`${workspaceKey}:`).toString('base64')}` },
    { 'x-api-key': workspaceKey },
    { cookie: `key=${workspaceKey}` },
    ...(await cookiesWithoutSession()).map((cookie) => ({ cookie })),
    ...invalidKeys.map((key) => ({ authorization: `Bearer ${key}` })),
  ]
}

/** Returns session cookies that must not authenticate a request. */
async function cookiesWithoutSession(): Promise<string[]> {
  const { db, sessionCookie } = service.deps
  const userId = await insertMember(service, world.own, { workspaceRole: 'owner' })
  const expired = await service.signIn(userId)
  await db
    .updateTable('sessions')
    .set({ expires_at: '2026-01-01T00:00:00Z' })
    .where('user_id', '=', userId)
    .execute()
  const valid = await service.signIn(userId)
  const [unknown = ''] = sessionCookie.setCookie('0'.repeat(32)).split(';')
  return [expired, unknown, valid.slice(0, -10), valid.replace('session_token', 'session')]
}

test('returns 401 and changes nothing when an endpoint that requires a key is called without a valid key', async () => {
  const allHeaders = await headersWithoutValidKey()
  const probes = endpoints
    .filter(([, { scope }]) => scope !== 'public')
    .flatMap(([name, endpoint], number) =>
      someOf(allHeaders, 6, number).flatMap((headers) => [
        { name, endpoint, headers, ids: idsOf(world.own, endpoint), body: undefined },
        { name, endpoint, headers, ids: randomIds(world, endpoint), body: { x: 1 } },
      ]),
    )
  await assertNoChanges(service, () =>
    concurrently(8, probes, async ({ name, endpoint, headers, ids, body }) => {
      const options = endpoint.method === 'GET' ? { headers } : { headers, body }
      const {
        status,
        body: responseBody,
        headers: responseHeaders,
      } = await send(service, endpoint, ids, options)
      assert.deepEqual(
        [status, responseBody.message, responseHeaders.get('www-authenticate')],
        [401, 'Unauthorized', 'Bearer'],
        `${name} ${JSON.stringify(headers)}`,
      )
    }),
  )
})

for (const [number, [name, endpoint]] of endpoints.entries()) {
  if (endpoint.scope === 'public')
    test(`${name} requires no API key and ignores any key in the request`, async () => {
      for (const key of [null, 'x', world.own.workspaceKey]) {
        const options = endpoint.method === 'GET' ? { key } : { key, body: {} }
        const { status } = await send(service, endpoint, randomIds(world, endpoint), options)
        assert.ok(![401, 403].includes(status), `${status}`)
      }
    })

  if (needsOtherServer(endpoint)) continue
  const outcome = conflicting.has(name) ? 'accepts valid input or reports a conflict' : 'accepts valid input'
  test(`${name} ${outcome}`, async () => {
    for (const keyOfWorld of keysFor(endpoint, world)) {
      const fixture = await fixtureFor(number, endpoint, keyOfWorld)
      const keyName = keyNames.find((each) => world.own[each] === keyOfWorld)
      const key = keyName === undefined ? null : fixture[keyName]
      const body = sampleBody(fixture, endpoint)
      // The service has only one set-up link, so the fixture that was created last has replaced it.
      if (name === 'setUp')
        await saveSetupLink(service.deps.db, hashSetupToken((body as { setup_token: string }).setup_token))
      const path: `/${string}` = `${endpoint.path}${findsNothing.get(name) ?? ''}`
      const { status, text } = await send(service, { ...endpoint, path }, idsOf(fixture, endpoint), {
        key,
        body,
      })
      const hint = 'add a value for the rejected field to test/sample.ts or test/world.ts'
      const expected = [
        200,
        201,
        202,
        302,
        ...(conflicting.has(name) ? [400, 409] : []),
        ...(findsNothing.has(name) ? [404] : []),
      ]
      assert.ok(expected.includes(status), `${status} ${text}; ${hint}.`)
    }
  })
}
