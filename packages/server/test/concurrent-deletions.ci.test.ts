import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { workspaceScopes } from '../src/http/endpoint/scopes.ts'
import { routes } from '../src/routes.ts'
import { someOf } from './acceptance/full-size.ts'
import { concurrently } from './concurrently.ts'
import { startService, type Service } from './harness.ts'
import { repeatWhileBusy } from './repeat-while-busy.ts'
import { fillPath, idFields, idsOf, idValue, pathNames, sampleBody, type Schema } from './sample.ts'
import { createFixture } from './world.ts'

const callsOnEachSide = 2
// A key is limited to four concurrent writes, so more calls would only wait until the race is over. The calls of three
// keys leave some of the 16 database connections free.
const writesPerKey = 4
const keyCount = 3
const writesAtOnce = writesPerKey * keyCount

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

const groupsOf = (writes: Write[]): Write[][] =>
  Array.from({ length: Math.ceil(writes.length / writesAtOnce) }, (_, index) =>
    writes.slice(index * writesAtOnce, (index + 1) * writesAtOnce),
  )

/**
 * Each deletion with the writes that run concurrently. Other deletions run in separate races, because they could end a
 * race early: a deletion of the resource itself would end it for all writes, and other deletions for some of them.
 */
const races = endpoints
  .filter(([, { method, scope }]) => method === 'DELETE' && scope !== 'public')
  .flatMap(([name, deletion]) => {
    const parameter = pathNames(deletion).at(-1) ?? 'nothing'
    const writes = writesNaming(parameter, name)
    const isDeletion = ([, { method }]: Write) => method === 'DELETE'
    const deletesResource = (write: Write) => isDeletion(write) && write[1].path.endsWith(`:${parameter}`)
    return [
      ...groupsOf(writes.filter((write) => !isDeletion(write))),
      ...groupsOf(writes.filter((write) => isDeletion(write) && !deletesResource(write))),
      ...writes.filter(deletesResource).map((write) => [write]),
    ].map((group) => ({ name, deletion, writes: group }))
  })

test('returns no 5xx for writes that reference a resource while the resource is being deleted', async (t) => {
  // Each race needs its own fixture.
  const selected = someOf(races, 4, 0)
  const faults: string[] = []
  await concurrently(3, selected, async ({ name, deletion, writes }) => {
    const fixture = await createFixture(service)
    const { workspaceId, workspaceKey } = fixture
    const moreKeys = Array.from({ length: Math.ceil(writes.length / writesPerKey) - 1 }, () =>
      service.key(workspaceId, null, workspaceScopes),
    )
    const keys = [workspaceKey, ...(await Promise.all(moreKeys))]
    const call = async (one: Endpoint, key = workspaceKey) => {
      const names = namingFields(one).map((field) => {
        const text = `${named[field]!.noun} of ${fixture.applicationId}`
        return [field, idValue(one, field, text)]
      })
      const body = one.body && { ...(sampleBody(fixture, one) as object), ...Object.fromEntries(names) }
      const path = fillPath(one, idsOf(fixture, one))
      const { status } = await repeatWhileBusy(() => service.call(one.method, path, { key, body }))
      return status
    }
    const callAll = () =>
      Array.from({ length: callsOnEachSide }, () =>
        writes.map(async ([write, endpoint], index) => {
          const key = keys[Math.floor(index / writesPerKey)]
          return [write, await call(endpoint, key)] as const
        }),
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
