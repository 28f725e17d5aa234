import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { applicationScopes, workspaceScopes, type Scope } from '../src/http/endpoint/scopes.ts'
import { routes } from '../src/routes.ts'
import { isFullSize, someOf } from './acceptance/full-size.ts'
import { concurrently } from './concurrently.ts'
import { assertNoChanges, randomIds, send } from './endpoint-calls.ts'
import { startService, type Service } from './harness.ts'
import { idsOf, sampleBody } from './sample.ts'
import {
  covers,
  forOwners,
  type Kind,
  lineFor,
  lines,
  ownersOnly,
  refusalOf,
  scopesOf,
} from './scope-table.ts'
import { createWorld, type World } from './world.ts'

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
  /** The message of a 403 response, or undefined if the key has the required scope. */
  refusal: string | undefined
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
  for (const [number, [name, endpoint]] of endpoints.entries())
    for (const kind of ['workspace', 'application'] as const) {
      const { needs } = lineFor(endpoint)!
      const needed = needs[kind]
      const all = scopesOf(kind)
      const insufficient = all.filter((held) => !covers(held, needed))
      const sufficient = all.filter((held) => covers(held, needed))
      const single = [...sufficient, ...someOf(insufficient, 6, number)].map((one) => [one])
      for (const held of [[], all, insufficient, ...single]) {
        const isOpen = ['any', 'public'].includes(needed) || held.some((one) => covers(one, needed))
        const missing = needed === 'never' ? needs.workspace : needed
        const isRefusedToOthers = isOpen && forOwners.has(name) && held !== all
        const refusal = isOpen ? (isRefusedToOthers ? ownersOnly : undefined) : refusalOf(missing)
        const key = await keyWith(kind, held)
        const context = `${name}, ${kind} key with [${held.join(' ')}]`
        const body = endpoint.method === 'GET' ? undefined : {}
        const probe = { name, endpoint, key, context, refusal, ids: randomIds(world, endpoint), body }
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
  await concurrently(8, probes, async ({ endpoint, key, context, ids, body, headers = {}, refusal }) => {
    const { status, body: responseBody } = await send(service, endpoint, ids, { key, body, headers })
    const isAsExpected =
      refusal === undefined
        ? ![401, 403].includes(status)
        : status === 403 && responseBody.message === refusal
    if (!isAsExpected)
      differences.push(
        `${context}, expected ${refusal ?? 'no 401 or 403'}, got ${status} ${responseBody?.message}`,
      )
  })
  return differences
}

test('accepts exactly the scopes in the scope table and changes nothing when it rejects a key (§5 missing scope, §5 hierarchical levels, §5 workspace-only scopes)', async (t) => {
  const probes = await createProbes()
  const rejected = probes.filter(({ refusal }) => refusal !== undefined)
  const accepted = probes.filter(({ refusal }) => refusal === undefined)
  const differences: string[] = []
  await assertNoChanges(service, async () => {
    differences.push(...(await differencesOf(rejected)))
  })
  differences.push(...(await differencesOf(accepted)))
  t.diagnostic(`${probes.length} probes, ${differences.length} differences`)
  assert.ok(probes.length > endpoints.length * (isFullSize ? 40 : 12), `${probes.length}`)
  assert.deepEqual(differences.slice(0, 20), [])
})
