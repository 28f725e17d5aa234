import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../src/http/endpoint.ts'
import { workspaceScopes } from '../src/http/scopes.ts'
import { routes } from '../src/routes.ts'
import { concurrently } from './concurrently.ts'
import { startService, type Service } from './harness.ts'
import { fillPath, idFields, idsOf, idValue, pathNames, sampleBody, type Schema } from './sample.ts'
import { createFixture } from './world.ts'

// Each race needs its own fixture, so only every eighth race runs unless QUAYSIDE_SLOW_TESTS is set.
const share = process.env['QUAYSIDE_SLOW_TESTS'] === undefined ? 8 : 1
const callsOnEachSide = 2
const writesAtOnce = 4

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const endpoints: [string, Endpoint][] = Object.entries(routes)

/**
 * Body fields that contain the name of a resource. `parameter` is the path parameter that identifies the resource, and
 * `noun` is the word for it in the resource names that test/world.ts creates.
 */
const named: Record<string, { parameter: string; noun: string }> = {
  stream: { parameter: 'stream_identifier', noun: 'stream' },
  label: { parameter: 'label_identifier', noun: 'label' },
  labels: { parameter: 'label_identifier', noun: 'label' },
  custom_target: { parameter: 'target_identifier', noun: 'target' },
}

const namingFields = ({ body }: Endpoint): string[] =>
  Object.keys((body as Schema | undefined)?.properties ?? {}).filter((name) => name in named)

const resourcesOf = (endpoint: Endpoint): string[] => [
  ...namingFields(endpoint).map((name) => named[name]!.parameter),
  ...pathNames(endpoint),
  ...idFields(endpoint).map((name) => name.replace(/_ids$/, '_id')),
]

type Write = [name: string, endpoint: Endpoint]

/** Returns the writes that reference the resource in this path parameter, except the deletion under test. */
const writesNaming = (parameter: string, deletion: string): Write[] =>
  endpoints.filter(
    ([name, endpoint]) =>
      endpoint.method !== 'GET' && name !== deletion && resourcesOf(endpoint).includes(parameter),
  )

/**
 * Each deletion with the writes that run concurrently. Another deletion of the resource runs in a separate race,
 * because it would end this race early.
 */
const races = endpoints
  .filter(([, { method, scope }]) => method === 'DELETE' && scope !== 'public')
  .flatMap(([name, deletion]) => {
    const writes = writesNaming(pathNames(deletion).at(-1) ?? 'nothing', name)
    const deletions = writes.filter(([, { method }]) => method === 'DELETE')
    const others = writes.filter(([, { method }]) => method !== 'DELETE')
    const groups = Array.from({ length: Math.ceil(others.length / writesAtOnce) }, (_, index) =>
      others.slice(index * writesAtOnce, (index + 1) * writesAtOnce),
    )
    return [...groups, ...deletions.map((one) => [one])].map((group) => ({ name, deletion, writes: group }))
  })

test('returns no 5xx for writes that reference a resource while the resource is being deleted', async (t) => {
  const selected = races.filter((_, index) => index % share === 0)
  const faults: string[] = []
  await concurrently(3, selected, async ({ name, deletion, writes }) => {
    const fixture = await createFixture(service)
    // Each call has its own key, because calls with the same key would wait for each other.
    const calls = writes.length * callsOnEachSide * 2 + 1
    const keys = await Promise.all(
      Array.from({ length: calls }, () => service.key(fixture.workspaceId, null, workspaceScopes)),
    )
    const call = async (one: Endpoint) => {
      const key = keys.pop()!
      const names = namingFields(one).map((field) => {
        const text = `${named[field]!.noun} of ${fixture.applicationId}`
        return [field, idValue(one, field, text)]
      })
      const body = one.body && { ...(sampleBody(fixture, one) as object), ...Object.fromEntries(names) }
      const { status } = await service.call(one.method, fillPath(one, idsOf(fixture, one)), { key, body })
      return status
    }
    const callAll = () =>
      Array.from({ length: callsOnEachSide }, () =>
        writes.map(async ([write, endpoint]) => [write, await call(endpoint)] as const),
      ).flat()
    const before = callAll()
    const deleted = call(deletion).then((status) => [name, status] as const)
    const responses = await Promise.all([...before, deleted, ...callAll()])
    for (const [operation, status] of responses)
      if (status >= 500) faults.push(`${operation} while ${name}: ${status}`)
  })
  const pairs = races.reduce((sum, { writes }) => sum + writes.length, 0)
  t.diagnostic(`ran ${selected.length} of ${races.length} races (${pairs} write/deletion pairs in total)`)
  assert.ok(pairs > 200)
  assert.deepEqual(faults, [])
})
