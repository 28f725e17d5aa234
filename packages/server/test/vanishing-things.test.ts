import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../src/http/endpoint.ts'
import { routes } from '../src/routes.ts'
import { atOnce } from './at-once.ts'
import { startService, type Service } from './harness.ts'
import { fillPath, idFields, idsOf, idValue, pathNames, sampleBody, type Schema } from './sample.ts'
import { createPlace } from './world.ts'

// each pair takes a place of its own: a share of them, all with QUAYSIDE_SLOW_TESTS
const share = process.env['QUAYSIDE_SLOW_TESTS'] === undefined ? 8 : 1
const callsOnEachSide = 6

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const endpoints: [string, Endpoint][] = Object.entries(routes)

/** Fields of bodies that name a thing: what a path that names it calls it, and its name in a place. */
const named: Record<string, { parameter: string; noun: string }> = {
  stream: { parameter: 'stream_identifier', noun: 'stream' },
  label: { parameter: 'label_identifier', noun: 'label' },
  labels: { parameter: 'label_identifier', noun: 'label' },
  custom_target: { parameter: 'target_identifier', noun: 'target' },
}

const namingFields = ({ body }: Endpoint): string[] =>
  Object.keys((body as Schema | undefined)?.properties ?? {}).filter((name) => name in named)

const thingsOf = (endpoint: Endpoint): string[] => [
  ...namingFields(endpoint).map((name) => named[name]!.parameter),
  ...pathNames(endpoint),
  ...idFields(endpoint).map((name) => name.replace(/_ids$/, '_id')),
]

/** Every write, with each DELETE of a thing that it names. */
const pairs = endpoints
  .filter(([, { method }]) => method !== 'GET')
  .flatMap(([name, endpoint]) =>
    endpoints
      .filter(([other, { method, scope }]) => method === 'DELETE' && scope !== 'public' && other !== name)
      .filter(([, other]) => thingsOf(endpoint).includes(pathNames(other).at(-1) ?? 'nothing'))
      .map(([other, deletion]) => ({ name, endpoint, other, deletion })),
  )

test('every write, while a thing that it names is deleted: done, or a refusal in words', async (t) => {
  const tried = pairs.filter((_, index) => index % share === 0)
  const faults: string[] = []
  await atOnce(3, tried, async ({ name, endpoint, other, deletion }) => {
    const place = await createPlace(service)
    const key = place.workspaceKey
    const ask = async (one: Endpoint) => {
      const names = namingFields(one).map((name) => {
        const text = `${named[name]!.noun} of ${place.applicationId}`
        return [name, idValue(one, name, text)]
      })
      const body = one.body && { ...(sampleBody(place, one) as object), ...Object.fromEntries(names) }
      const { status } = await service.call(one.method, fillPath(one, idsOf(place, one)), { key, body })
      return status
    }
    const before = Array.from({ length: callsOnEachSide }, () => ask(endpoint))
    const deleted = ask(deletion)
    const behind = Array.from({ length: callsOnEachSide }, () => ask(endpoint))
    const statuses = await Promise.all([...before, deleted, ...behind])
    if (statuses.some((status) => status >= 500)) faults.push(`${name} while ${other}: ${statuses.join()}`)
  })
  t.diagnostic(`${tried.length} of ${pairs.length} pairs`)
  assert.ok(pairs.length > 200)
  assert.deepEqual(faults, [])
})
