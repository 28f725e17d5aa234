import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { shortId, uuidV7 } from '../src/lib/ids.ts'
import { routes } from '../src/routes.ts'
import { isFullSize } from './acceptance/full-size.ts'
import { concurrently } from './concurrently.ts'
import { keysFor, assertNoChanges, observableResponse } from './endpoint-calls.ts'
import { startService, type Service } from './harness.ts'
import { badgeQueries, filtersOf, lookupOf, positionsOf, type Position, type Target } from './id-positions.ts'
import { insertMember } from './people.ts'
import { repeatWhileBusy } from './repeat-while-busy.ts'
import { fillPath, idFields, idsOf, pathNames, sampleBody } from './sample.ts'
import { createWorld, type Fixture, type World } from './world.ts'

let service: Service
let world: World
let tenants: Fixture[]

before(async () => {
  service = await startService()
  world = await createWorld(service)
  const { own, foreign } = await createWorld(service)
  tenants = [world.foreign, own, foreign]
})
after(() => service.close())

// It accepts every ID, a few times an hour. access-requests.test.ts compares its responses.
const endpoints: [string, Endpoint][] = Object.entries(routes).filter(
  ([name]) => name !== 'createAccessRequest',
)

/** Outside CI, each position gets one in this many of the values whose kind does not fit. */
const misplacedShares = isFullSize ? 1 : 8

type Request = { path: string; body: unknown }
type Probe = Target & { value: string }

/** Query parameters that do not identify a workspace resource. */
const unrelatedQueries = new Set([
  ...badgeQueries,
  ...'action actor after application architecture architectures branches created_after created_before domain email filename from grant kind platform platforms processing rating resume role search size_bytes sources statuses subject_id subject_type ticket unread version'.split(
    ' ',
  ),
])

/** Additional fields that the body must contain for a field to take effect, by endpoint and field name. */
const prerequisites: Record<string, object> = { 'updateBuilds stream': { action: 'move' } }

/** Endpoints that return 200 with a result for each ID in the body (see features/builds/build-writes.test.ts). */
const respondsForEachId = new Set(['updateBuilds', 'createBuildDownloads'])

/** Returns the IDs and names in a fixture, except the excluded ones. */
function valuesOf(fixture: Fixture, excluded: ReadonlySet<string>): string[] {
  const { ids, workspaceIds, filters, workspaceId } = fixture
  const all = [workspaceId, ...Object.values(ids), ...Object.values(workspaceIds)]
  return [...new Set([...all, ...Object.values(filters).flat()])].filter((value) => !excluded.has(value))
}

/** Returns a value in the same format that does not identify an existing resource. */
function unknownLike(value: string): string {
  if (/^[\da-f]{8}-/.test(value)) return uuidV7()
  if (value.length === 10 || value.length === 12) return shortId(value.length)
  const text = randomBytes(value.length).toString('hex')
  return value.replaceAll(/[a-z0-9]/gi, (_, at: number) => text[at]!)
}

const formOf = (value: string): string => value.replaceAll(/[a-z0-9]/gi, 'x')

function requestFor(probe: Probe, value: string): Request {
  const { endpoint } = probe
  const { part, name, isList } = probe.position
  const { own } = world
  const values = { ...idsOf(own, endpoint), ...(part === 'path' ? { [name]: value } : {}) }
  const query = part === 'query' ? `?${name}=${encodeURIComponent(value)}` : ''
  if (part !== 'body')
    return { path: `${fillPath(endpoint, values)}${query}`, body: sampleBody(own, endpoint) }
  const body = sampleBody(own, endpoint, [name]) as object
  const changed = { ...body, ...prerequisites[`${probe.name} ${name}`], [name]: isList ? [value] : value }
  return { path: `${fillPath(endpoint, values)}${query}`, body: changed }
}

/** Returns the observable response with all occurrences of the sent value masked. */
async function responseTo(probe: Probe, value: string): Promise<{ status: number; text: string }> {
  const { path, body } = requestFor(probe, value)
  const response = await repeatWhileBusy(() =>
    service.call(probe.endpoint.method, path, { key: probe.key, body }),
  )
  const text = JSON.stringify(observableResponse(response)).replaceAll(value, '…')
  // If the response contains the value, the ETag depends on the value and must be masked too.
  const isRepeated = response.text.includes(value)
  return {
    status: response.status,
    text: isRepeated ? text.replace(/"etag":"[^,}]*"/, '"etag":"…"') : text,
  }
}

const isIdOnly = ({ name, endpoint, position }: Probe): boolean =>
  position.part === 'path' ||
  (position.part === 'body' && idFields(endpoint).includes(position.name) && !respondsForEachId.has(name))

/**
 * Returns the probes whose response differs from the response to an unknown value. The response to an unknown value
 * must be 404 where only IDs are accepted.
 */
async function differencesOf(probes: Probe[]): Promise<string[]> {
  const responsesToUnknown = new Map<string, ReturnType<typeof responseTo>>()
  const differences: string[] = []
  await concurrently(8, probes, async (probe) => {
    const { name, position, key, value } = probe
    const context = `${name} ${key} ${position.part} ${position.name} ${formOf(value)}`
    const pending = responsesToUnknown.get(context) ?? responseTo(probe, unknownLike(value))
    responsesToUnknown.set(context, pending)
    const received = await responseTo(probe, value)
    const expected = await pending
    if (isIdOnly(probe) && expected.status !== 404)
      differences.push(`${context}: ${expected.status} for an unknown id`)
    if (received.text !== expected.text)
      differences.push(`${context} = ${value}\n  received ${received.text}\n  expected ${expected.text}`)
  })
  return differences
}

test('treats the IDs and names of other tenants as unknown at every endpoint', async (t) => {
  const owned = new Set(valuesOf(world.own, new Set()))
  const foreign = tenants.map((tenant) => valuesOf(tenant, owned))
  const probes = probesOf(targetsOf(), foreign)
  let differences: string[] = []
  await assertNoChanges(service, async () => {
    differences = await differencesOf(probes)
  })
  t.diagnostic(
    `${probes.length} probes of ${foreign.flat().length} ids and names, ${differences.length} differences`,
  )
  assert.ok(probes.length >= 9_000 / misplacedShares, `${probes.length}`)
  assert.deepEqual(differences.slice(0, 20), [])
})

const targetsOf = (): Target[] =>
  endpoints.flatMap(([name, endpoint]) =>
    keysFor(endpoint, world).flatMap((key) =>
      positionsOf(endpoint).map((position) => ({ name, endpoint, position, key })),
    ),
  )

/**
 * Returns the requests that send the values of these owners. Every target gets the values of the kind that it expects.
 * A value of another kind is sent once for each lookup, and for only one of the owners, who are interchangeable.
 */
function probesOf(targets: readonly Target[], owners: readonly string[][], ...fixtures: Fixture[]): Probe[] {
  const lookups = [...Map.groupBy(targets, lookupOf).values()]
  return lookups.flatMap((alike, index) =>
    owners.flatMap((values, owner) =>
      values.flatMap((value, kind) => {
        const open = alike.filter(
          ({ endpoint, position }) =>
            !isMisplacedCursor(position, value) && !isShared(endpoint, position, value),
        )
        const isInTurn = (index + kind) % (owners.length * misplacedShares) === owner
        // Values of the same form have the same target, which responds only once to an unknown value of that form.
        const turn = (index + value.length) % open.length
        return open
          .filter(
            ({ position }, each) => isOfKind(position, value, ...fixtures) || (isInTurn && each === turn),
          )
          .map((target) => ({ ...target, value }))
      }),
    ),
  )
}

/** Returns whether this position expects values of this kind. */
function isOfKind({ name }: Position, value: string, ...fixtures: Fixture[]): boolean {
  const kind = name.replace(/_ids$/, '_id')
  return [...tenants, ...fixtures].some(
    ({ ids, workspaceIds, filters }) =>
      [ids[kind], workspaceIds[kind]].includes(value) || (filters[name] ?? []).includes(value),
  )
}

/**
 * Returns whether the value is a cursor in a position for another kind of value. The service rejects such a request with
 * 422, because a cursor exceeds the length limit.
 */
const isMisplacedCursor = ({ name }: Position, value: string): boolean =>
  name !== 'cursor' &&
  [world.own, world.sibling, ...tenants].some(({ filters }) => filters['cursor']!.includes(value))

/** Returns whether every caller may use the value: a platform name, the token in a public path, or what a public portal shows. */
function isShared(endpoint: Endpoint, { part, name }: Position, value: string): boolean {
  if (part !== 'path' && [...tenants, world.sibling].some(({ ids }) => ids['platform'] === value)) return true
  if (endpoint.path.startsWith('/public/permalinks/') && name === 'application_id') return true
  const isOpen = endpoint.scope === 'public' && pathNames(endpoint).length === 1
  return isOpen && tenants.some(({ ids }) => ids[name] === value)
}

test('treats the IDs of other applications as unknown for application keys and members (§5 application keys)', async (t) => {
  const { own, sibling } = world
  const memberId = await insertMember(service, own, { applicationRole: 'admin' })
  const member = await service.signIn(memberId)
  const owned = new Set(valuesOf(own, new Set()))
  // Users and teams belong to the workspace, so keys for either application can access them.
  const shared = new Set([
    sibling.workspaceId,
    sibling.ids['user_id'],
    sibling.ids['team_id'],
    ...Object.values(sibling.workspaceIds),
  ])
  const values = valuesOf(sibling, owned).filter((value) => !shared.has(value))
  const targets = targetsOf().filter(({ key }) => key === own.applicationKey)
  const probes = probesOf(targets, [values], sibling)
  // Members pass the same checks as application keys, so they send only the kinds of values that each position expects.
  const probesOfMember = probes
    .filter(({ position, value }) => isOfKind(position, value, sibling))
    .map((probe) => ({ ...probe, key: member }))
  let differences: string[] = []
  await assertNoChanges(service, async () => {
    differences = await differencesOf([...probes, ...probesOfMember])
  })
  t.diagnostic(`${probes.length} probes of ${values.length} ids and names, ${differences.length} differences`)
  t.diagnostic(`${probesOfMember.length} probes of a member`)
  assert.ok(probesOfMember.length >= 100, `${probesOfMember.length}`)
  assert.ok(probes.length >= 2000 / misplacedShares, `${probes.length}`)
  assert.deepEqual(differences.slice(0, 20), [])
})

/** Returns the options of a call from another workspace: with the bootstrap key or, where keys are refused, as an owner. */
const optionsOfOtherWorkspace = ({ scope }: Endpoint): { key?: string } =>
  scope !== 'public' && scope.session === 'required' ? { key: world.foreign.ownerSession } : {}

test('returns 404 at every endpoint for a path whose IDs all belong to another tenant', async (t) => {
  const { own } = world
  const differences: string[] = []
  let count = 0
  await assertNoChanges(service, async () => {
    await concurrently(8, endpoints, async ([name, endpoint]) => {
      if (endpoint.scope === 'public' || pathNames(endpoint).length === 0) return
      const send = async (ids: Record<string, string>, options: { key?: string | null }) => {
        const body = sampleBody(own, endpoint)
        return observableResponse(
          await service.call(endpoint.method, fillPath(endpoint, ids), { ...options, body }),
        )
      }
      const ownIds = idsOf(own, endpoint)
      const unknown = Object.fromEntries(pathNames(endpoint).map((one) => [one, unknownLike(ownIds[one]!)]))
      for (const key of keysFor(endpoint, world)) {
        const expected = await send(unknown, { key })
        assert.match(JSON.stringify(expected), /"status":404.*Not found\./)
        const received = [await send(ownIds, optionsOfOtherWorkspace(endpoint))]
        for (const tenant of tenants) received.push(await send(idsOf(tenant, endpoint), { key }))
        count += received.length
        for (const each of received)
          if (JSON.stringify(each) !== JSON.stringify(expected))
            differences.push(
              `${name}: ${JSON.stringify(each)}, but to unknown ids: ${JSON.stringify(expected)}`,
            )
      }
    })
  })
  t.diagnostic(`${count} probes, ${differences.length} differences`)
  assert.deepEqual(differences, [])
})

test('accepts existing IDs and names in every filter and returns 422 for unknown values', async () => {
  for (const [name, endpoint] of endpoints)
    for (const field of filtersOf(endpoint).filter((one) => !unrelatedQueries.has(one))) {
      const values = world.own.filters[field]
      const hint =
        'add it to Fixture.filters, or to unrelatedQueries here if it names no resource of a workspace'
      assert.ok(values !== undefined, `${name} has the filter "${field}": ${hint}.`)
      for (const key of keysFor(endpoint, world)) {
        const statusOf = async (value: string) => {
          const path = `${fillPath(endpoint, idsOf(world.own, endpoint))}?${field}=${encodeURIComponent(value)}`
          return (await service.call(endpoint.method, path, { key })).status
        }
        assert.equal(await statusOf('nothing here'), 422, `${name} ${field}`)
        if (endpoint.method !== 'GET') continue
        for (const value of values) assert.equal(await statusOf(value), endpoint.status ?? 200)
      }
    }
})
