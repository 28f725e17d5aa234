import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hashKey, makeKey } from '../src/features/api-keys/api-key.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import { expandScopes, scopesOf, workspaceScopes, type KeyKind, type Scope } from '../src/http/scopes.ts'
import { routes } from '../src/routes.ts'
import {
  callers,
  likeOf,
  nothingChanges,
  randomIds,
  send,
  visible,
  withoutRequestId,
} from './endpoint-calls.ts'
import { startService, type Answer, type Service } from './harness.ts'
import { fillPath, idFields, idFor, idsOf, idValue, pathNames, sampleBody, type Schema } from './sample.ts'
import { createPlace, createWorld, type Place, type World } from './world.ts'

let service: Service
let world: World
let invalidKeys: Record<string, string>[]
const keys = new Map<string, Promise<string>>()

before(async () => {
  service = await startService()
  world = await createWorld(service)
  invalidKeys = await headersWithoutValidKey()
})
after(() => service.close())

const endpoints: [string, Endpoint][] = Object.entries(routes)
const malformed = [
  'null',
  'x',
  'X'.repeat(300),
  'x'.repeat(5000),
  "' or 1=1 --",
  '\0',
  '😀',
  '__proto__',
  '1e3',
  ' ',
  '../..',
]

/** Texts in queries that name no thing of a workspace. */
const plainQueries = new Set(
  'search platform platforms sources branches created_after created_before actor action subject_type subject_id application grant'.split(
    ' ',
  ),
)

/** Query parameters that may name a thing of a workspace. */
function filtersOf({ query }: Endpoint): string[] {
  const all = Object.entries(query?.properties ?? {}) as [string, Schema][]
  const texts = all.filter(([, schema]) => schema.type === 'string' && schema.enum === undefined)
  return texts.map(([field]) => field).filter((field) => !plainQueries.has(field))
}

/** People are of the workspace: both its applications may know of them. */
const idsOfPeople = new Set(['user_id'])

/** Foreign ids among many: features/builds/build-writes.test.ts */
const answersForEachId = new Set(['updateBuilds'])

/** Headers of callers whom the service must not know. */
async function headersWithoutValidKey(): Promise<Record<string, string>[]> {
  const { db } = service.deps
  const { workspaceId, applicationId, workspaceKey } = world.own
  const then = '2026-01-01T00:00:00Z'
  const spoilt = async (columns: { expires_at: string } | { revoked_at: string }) => {
    const key = await service.key(workspaceId, null, workspaceScopes)
    await db.updateTable('api_keys').set(columns).where('key_sha256', '=', hashKey(key)).execute()
    return key
  }
  const trash = await service.tenant()
  await db
    .updateTable('applications')
    .set({ deleted_at: then })
    .where('id', '=', trash.applicationId)
    .execute()
  const wrongKeys = [
    await spoilt({ expires_at: then }),
    await spoilt({ revoked_at: then }),
    trash.applicationKey,
    makeKey('workspace'),
    makeKey('application'),
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
    ...wrongKeys.map((key) => ({ authorization: `Bearer ${key}` })),
  ]
}

/** A key of the own application, or of its workspace, that holds exactly these scopes. */
function keyWith(kind: KeyKind, scopes: readonly Scope[]): Promise<string> {
  const name = `${kind} ${scopes.join(' ')}`
  const { workspaceId, applicationId } = world.own
  const key =
    keys.get(name) ?? service.key(workspaceId, kind === 'application' ? applicationId : null, scopes)
  keys.set(name, key)
  return key
}

const includes = (kind: KeyKind, scope: Scope, wanted: Scope) => expandScopes(kind, [scope]).has(wanted)

for (const [name, endpoint] of endpoints) {
  const { scope } = endpoint
  if (scope === 'public') {
    test(`${name}, without a key or with any, never 401 or 403`, async () => {
      for (const key of [null, 'x', world.own.workspaceKey]) {
        const sent = endpoint.method === 'GET' ? { key } : { key, body: {} }
        const { status } = await send(service, endpoint, randomIds(world, endpoint), sent)
        assert.ok(![401, 403].includes(status), `${status}`)
      }
    })
    continue
  }

  test(`${name}, without a valid key, 401 whatever else is sent`, async () => {
    const bodies = endpoint.method === 'GET' ? [undefined] : [undefined, { x: 1 }]
    await nothingChanges(service, async () => {
      for (const values of [idsOf(world.own, endpoint), randomIds(world, endpoint)]) {
        for (const headers of invalidKeys) {
          for (const body of bodies) {
            const answer = await send(service, endpoint, values, { headers, body })
            assert.equal(answer.status, 401, JSON.stringify(headers))
            assert.equal(answer.body.message, 'Unauthorized')
            assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
          }
        }
      }
    })
  })

  for (const kind of ['workspace', 'application'] as const) {
    const needed = scope[kind]
    const all = scopesOf(kind)

    if (needed !== null) {
      test(`${name}, a key of one ${kind} with too little, 403 names what is missing`, async () => {
        const named = needed ?? scope.workspace ?? 'workspace:read'
        const rest = all.filter((held) => needed === undefined || !includes(kind, held, needed))
        const keys = [await keyWith(kind, rest), await keyWith(kind, [])]
        const wrongType = { 'content-type': 'text/plain' }
        const { own, foreign } = world
        await nothingChanges(service, async () => {
          for (const key of keys) {
            for (const ids of [idsOf(own, endpoint), idsOf(foreign, endpoint), randomIds(world, endpoint)]) {
              const answers = [await send(service, endpoint, ids, { key })]
              if (endpoint.method !== 'GET') {
                answers.push(await send(service, endpoint, ids, { key, body: sampleBody(own, endpoint) }))
                answers.push(await send(service, endpoint, ids, { key, body: {}, headers: wrongType }))
              }
              for (const answer of answers) {
                assert.equal(answer.status, 403, answer.text)
                assert.equal(answer.body.message, `This action requires '${named}' scope.`)
              }
            }
          }
        })
      })
    }

    if (needed !== undefined) {
      test(`${name}, a key of one ${kind} with just enough, no 403`, async () => {
        const enough =
          needed === null ? [[]] : all.filter((held) => includes(kind, held, needed)).map((held) => [held])
        assert.ok(enough.length > 0, `no ${kind} key can hold ${needed}`)
        const body = endpoint.body === undefined ? undefined : {}
        for (const scopes of enough) {
          const key = await keyWith(kind, scopes)
          const answer = await send(service, endpoint, randomIds(world, endpoint), { key, body })
          assert.ok(![401, 403].includes(answer.status), `${scopes.join(' ')}: ${answer.text}`)
        }
      })
    }
  }
}

for (const [name, endpoint] of endpoints) {
  const names = pathNames(endpoint)

  if (names.length > 0) {
    test(`${name}, ids that lie elsewhere, the same 404 as for ids that are nowhere`, async () => {
      const { own, sibling, foreign } = world
      const answers: Answer[] = []
      const ask = async (key: string | null, ids: Record<string, string>) => {
        const values = { ...idsOf(own, endpoint), ...ids }
        answers.push(await send(service, endpoint, values, { key, body: sampleBody(own, endpoint) }))
      }
      await nothingChanges(service, async () => {
        for (const key of callers(endpoint, world)) {
          const isConfined = key === own.applicationKey
          const isBelowApplication = endpoint.path.startsWith('/applications/:')
          // a token is all that a public endpoint asks for, wherever it comes from
          const isShared = !isBelowApplication && (!isConfined || names.every((one) => idsOfPeople.has(one)))
          const elsewhere = isShared ? [foreign] : [sibling, foreign]
          for (const place of endpoint.scope === 'public' ? [] : elsewhere) {
            const ids = idsOf(place, endpoint)
            const seesAll = (place === sibling && !isConfined) || endpoint.scope === 'public'
            // a workspace key may see what lies in the sibling, but not by way of the own application
            if (!seesAll) await ask(key, ids)
            for (const one of names) if (!seesAll || names.length > 1) await ask(key, { [one]: ids[one]! })
          }
          for (const one of names) {
            for (const id of [likeOf(idFor(own, endpoint, one)), ...malformed]) await ask(key, { [one]: id })
          }
        }
        // the bootstrap key is one of another workspace
        const path = fillPath(endpoint, idsOf(own, endpoint))
        if (endpoint.scope !== 'public') answers.push(await service.call(endpoint.method, path))
      })
      for (const answer of answers) assert.deepEqual(visible(answer), visible(answers[0]!))
      assert.equal(answers[0]!.status, 404)
      assert.equal(answers[0]!.body.message, 'Not found.')
    })
  }

  for (const field of idFields(endpoint)) {
    if (answersForEachId.has(name)) continue
    test(`${name}, a ${field} in the body that lies elsewhere, the same 404 as for one that is nowhere`, async () => {
      const { own, sibling, foreign } = world
      const answers: Answer[] = []
      await nothingChanges(service, async () => {
        for (const key of callers(endpoint, world)) {
          const elsewhere = key === own.applicationKey ? [sibling, foreign] : [foreign]
          const places = elsewhere.map((place) => idFor(place, endpoint, field))
          for (const id of [...places, likeOf(idFor(own, endpoint, field)), 'nothing', "'", '__proto__']) {
            const value = idValue(endpoint, field, id)
            const body = { ...(sampleBody(own, endpoint, [field]) as object), [field]: value }
            answers.push(await send(service, endpoint, idsOf(own, endpoint), { key, body }))
          }
        }
      })
      for (const answer of answers) assert.deepEqual(visible(answer), visible(answers[0]!))
      assert.equal(answers[0]!.status, 404, answers[0]!.text)
    })
  }

  for (const field of filtersOf(endpoint)) {
    test(`${name}, the filter ${field} names things elsewhere, 422 as for an unknown name`, async () => {
      const valuesAt = ({ filters }: Place) => {
        const hint = 'add it to Place.filters, or to plainQueries here if it names no thing of a workspace'
        assert.ok(filters[field] !== undefined, `${name} has the filter "${field}": ${hint}.`)
        return filters[field]
      }
      const ask = async (value: string, key: string | null) => {
        const path = `${fillPath(endpoint, idsOf(world.own, endpoint))}?${field}=${encodeURIComponent(value)}`
        const { status, text } = await service.call(endpoint.method, path, { key })
        return { status, text: withoutRequestId(text).replaceAll(value, '…') }
      }
      for (const key of callers(endpoint, world)) {
        const unknown = await ask('nothing here', key)
        assert.equal(unknown.status, 422)
        for (const value of [...valuesAt(world.sibling), ...valuesAt(world.foreign)])
          assert.deepEqual(await ask(value, key), unknown)
        if (endpoint.method !== 'GET') continue
        for (const value of valuesAt(world.own))
          assert.equal((await ask(value, key)).status, endpoint.status ?? 200)
      }
    })
  }

  test(`${name}, everything right, it answers`, async () => {
    let place = endpoint.method === 'GET' ? world.own : await createPlace(service)
    for (const [index, who] of callers(endpoint, world).entries()) {
      if (endpoint.method === 'DELETE' && index > 0) place = await createPlace(service)
      const key = who === world.own.applicationKey ? place.applicationKey : who && place.workspaceKey
      const body = sampleBody(place, endpoint)
      const answer = await send(service, endpoint, idsOf(place, endpoint), { key, body })
      const hint = 'if a field lacks a value, tell it to test/sample.ts or test/world.ts'
      assert.ok([200, 201, 302, 400, 409].includes(answer.status), `${answer.text} – ${hint}.`)
    }
  })
}
