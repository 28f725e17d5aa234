import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../src/http/endpoint.ts'
import { shortId, uuidV7 } from '../src/lib/ids.ts'
import { routes } from '../src/routes.ts'
import { atOnce } from './at-once.ts'
import { callers, nothingChanges, visible } from './endpoint-calls.ts'
import { startService, type Answer, type Service } from './harness.ts'
import { fillPath, idFields, idsOf, pathNames, sampleBody, type Schema } from './sample.ts'
import { createWorld, type Place, type World } from './world.ts'

const isSlow = process.env['QUAYSIDE_SLOW_TESTS'] !== undefined
let service: Service
let world: World
let tenants: Place[]

before(async () => {
  service = await startService()
  world = await createWorld(service)
  const { own, foreign } = await createWorld(service)
  tenants = [world.foreign, own, foreign]
})
after(() => service.close())

const endpoints: [string, Endpoint][] = Object.entries(routes)

/** Where a request can name a thing. */
type Position = { place: 'path' | 'query' | 'body'; name: string; isList: boolean }
type Request = { path: string; body: unknown }
type Probe = { name: string; endpoint: Endpoint; position: Position; key: string | null; value: string }

/** Fields of bodies that take a name as well as an id. */
const named = new Set(['stream', 'label', 'custom_target', 'move_to'])

/** Proofs that a password was given name nothing. */
const secrets = new Set(['grant'])

/** What a field of a body needs beside it to be looked at. */
const beside: Record<string, object> = { 'updateBuilds stream': { action: 'move' } }

function positionsOf(endpoint: Endpoint): Position[] {
  const queryFields = Object.entries(endpoint.query?.properties ?? {}) as [string, Schema][]
  const bodyFields = Object.entries((endpoint.body as Schema | undefined)?.properties ?? {})
  const texts = queryFields.filter(([, { type, enum: values }]) => type === 'string' && values === undefined)
  const ids = new Set(idFields(endpoint))
  return [
    ...pathNames(endpoint).map((name) => ({ place: 'path' as const, name, isList: false })),
    ...texts
      .filter(([name]) => !secrets.has(name))
      .map(([name]) => ({ place: 'query' as const, name, isList: false })),
    ...bodyFields
      .filter(([name]) => ids.has(name) || named.has(name))
      .map(([name, { type }]) => ({ place: 'body' as const, name, isList: type === 'array' })),
  ]
}

/** Every id and name by which things of the place are known, but for those that its neighbour has too. */
function valuesOf(place: Place, besides: ReadonlySet<string>): string[] {
  const { ids, workspaceIds, filters, workspaceId } = place
  const all = [workspaceId, ...Object.values(ids), ...Object.values(workspaceIds)]
  return [...new Set([...all, ...Object.values(filters).flat()])].filter((value) => !besides.has(value))
}

/** A text of the same form that names nothing. */
function likeOf(value: string): string {
  if (/^[\da-f]{8}-/.test(value)) return uuidV7()
  if (value.length === 10 || value.length === 12) return shortId(value.length)
  const text = randomBytes(value.length).toString('hex')
  return value.replaceAll(/[a-z0-9]/gi, (_, at: number) => text[at]!)
}

const formOf = (value: string): string => value.replaceAll(/[a-z0-9]/gi, 'x')

function requestFor(probe: Probe, value: string): Request {
  const { endpoint } = probe
  const { place, name, isList } = probe.position
  const { own } = world
  const values = { ...idsOf(own, endpoint), ...(place === 'path' ? { [name]: value } : {}) }
  const query = place === 'query' ? `?${name}=${encodeURIComponent(value)}` : ''
  if (place !== 'body')
    return { path: `${fillPath(endpoint, values)}${query}`, body: sampleBody(own, endpoint) }
  const body = sampleBody(own, endpoint, [name]) as object
  const changed = { ...body, ...beside[`${probe.name} ${name}`], [name]: isList ? [value] : value }
  return { path: `${fillPath(endpoint, values)}${query}`, body: changed }
}

/** All that the caller sees of an answer, with what was sent replaced where the answer repeats it. */
async function seen(probe: Probe, value: string): Promise<{ answer: Answer; text: string }> {
  const { path, body } = requestFor(probe, value)
  const answer = await service.call(probe.endpoint.method, path, { key: probe.key, body })
  return { answer, text: JSON.stringify(visible(answer)).replaceAll(value, '…') }
}

/** The tag of an answer that repeats what was sent is another one for each value. */
const withoutTag = (text: string, answer: Answer, value: string): string =>
  answer.text.includes(value) ? text.replace(/"etag":"[^,}]*"/, '"etag":"…"') : text

async function differencesOf(probes: Probe[]): Promise<string[]> {
  const unknown = new Map<string, Promise<string>>()
  const differences: string[] = []
  await atOnce(8, probes, async (probe) => {
    const { name, position, key, value } = probe
    const about = `${name} ${key} ${position.place} ${position.name} ${formOf(value)}`
    const ofNothing = async () => {
      const like = likeOf(value)
      const { answer, text } = await seen(probe, like)
      return withoutTag(text, answer, like)
    }
    const expected = unknown.get(about) ?? ofNothing()
    unknown.set(about, expected)
    const { answer, text } = await seen(probe, value)
    const given = withoutTag(text, answer, value)
    if (given !== (await expected))
      differences.push(`${about} = ${value}\n  told  ${given}\n  as to ${await expected}`)
  })
  return differences
}

test('every endpoint, every id and name of three other tenants in path, query and body: the answer to what is nowhere', async (t) => {
  const { own } = world
  const owned = new Set(valuesOf(own, new Set()))
  const foreign = [...new Set(tenants.flatMap((place) => valuesOf(place, owned)))]
  const probes: Probe[] = []
  for (const [name, endpoint] of endpoints)
    for (const key of callers(endpoint, world))
      for (const position of positionsOf(endpoint))
        for (const [turn, value] of foreign.entries())
          if (isTried(position, value, turn + probes.length) && !isNobodys(endpoint, position, value))
            probes.push({ name, endpoint, position, key, value })
  let differences: string[] = []
  await nothingChanges(service, async () => {
    differences = await differencesOf(probes)
  })
  t.diagnostic(`${probes.length} probes of ${foreign.length} ids and names, ${differences.length} leaks`)
  assert.ok(probes.length >= 10_000, `${probes.length}`)
  assert.deepEqual(differences.slice(0, 20), [])
})

/** What the position may really mean always; a share of the rest, all of it with QUAYSIDE_SLOW_TESTS. */
function isTried({ name }: Position, value: string, turn: number): boolean {
  const kind = name.replace(/_ids$/, '_id')
  const isMeant = tenants.some(
    ({ ids, workspaceIds, filters }) =>
      [ids[kind], workspaceIds[kind]].includes(value) || (filters[name] ?? []).includes(value),
  )
  return isMeant || isSlow || turn % 4 === 0
}

/** Names of platforms are everybody's, and some paths are open to all who know them. */
function isNobodys(endpoint: Endpoint, { place, name }: Position, value: string): boolean {
  if (place !== 'path' && [...tenants, world.sibling].some(({ ids }) => ids['platform'] === value))
    return true
  const isOpen = endpoint.scope === 'public' && pathNames(endpoint).length === 1
  return isOpen && tenants.some(({ ids }) => ids[name] === value)
}

test('§5 application keys: every endpoint, an application key and every id of another application of its workspace: the answer to what is nowhere', async (t) => {
  const { own, sibling } = world
  const owned = new Set(valuesOf(own, new Set()))
  // people are of the workspace: both its applications may know of them
  const shared = new Set([
    sibling.workspaceId,
    sibling.ids['user_id'],
    ...Object.values(sibling.workspaceIds),
  ])
  const values = valuesOf(sibling, owned).filter((value) => !shared.has(value))
  const probes = endpoints
    .filter(([, endpoint]) => callers(endpoint, world).includes(own.applicationKey))
    .flatMap(([name, endpoint]) =>
      positionsOf(endpoint).flatMap((position) =>
        values
          .filter((value) => !isNobodys(endpoint, position, value))
          .map((value) => ({ name, endpoint, position, key: own.applicationKey, value })),
      ),
    )
  let differences: string[] = []
  await nothingChanges(service, async () => {
    differences = await differencesOf(probes)
  })
  t.diagnostic(`${probes.length} probes of ${values.length} ids and names, ${differences.length} leaks`)
  assert.ok(probes.length >= 2000, `${probes.length}`)
  assert.deepEqual(differences.slice(0, 20), [])
})

test('every endpoint, all ids of its path from one other tenant: the answer to what is nowhere', async (t) => {
  const differences: string[] = []
  let count = 0
  await nothingChanges(service, async () => {
    await atOnce(8, endpoints, async ([name, endpoint]) => {
      if (endpoint.scope === 'public' || pathNames(endpoint).length === 0) return
      for (const key of callers(endpoint, world)) {
        const ask = async (ids: Record<string, string>) => {
          const body = sampleBody(world.own, endpoint)
          return visible(await service.call(endpoint.method, fillPath(endpoint, ids), { key, body }))
        }
        const names = pathNames(endpoint)
        const nowhere = Object.fromEntries(
          names.map((one) => [one, likeOf(idsOf(world.own, endpoint)[one]!)]),
        )
        const expected = JSON.stringify(await ask(nowhere))
        for (const tenant of tenants) {
          count += 1
          const given = JSON.stringify(await ask(idsOf(tenant, endpoint)))
          if (given !== expected) differences.push(`${name}: ${given}, as to what is nowhere: ${expected}`)
        }
      }
    })
  })
  t.diagnostic(`${count} probes, ${differences.length} leaks`)
  assert.deepEqual(differences, [])
})
