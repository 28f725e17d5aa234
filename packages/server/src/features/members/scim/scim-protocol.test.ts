import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { scimPatch, type ScimPatchOperation, type ScimResource } from 'scim-patch'
import SCIMMY from 'scimmy'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { insertMember } from '../../../../test/people.ts'
import { connectScim } from '../../../../test/scim-client.ts'
import { generateScimToken } from './scim-token.ts'

let service: Service
let tenant: Tenant
let scim: Awaited<ReturnType<typeof connectScim>>

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  scim = await connectScim(service, tenant)
})
after(() => service.close())

test('resources conform to the schemas of an independent implementation', async () => {
  const user = await scim.succeed('POST', '/Users', {
    userName: 'conform@example.org',
    externalId: 'conform',
    name: { givenName: 'Con', familyName: 'Form' },
  })
  const group = await scim.succeed('POST', '/Groups', {
    displayName: 'Conform',
    members: [{ value: user.id }],
  })
  const read = new SCIMMY.Schemas.User(structuredClone(user), 'out')
  assert.deepEqual(
    [read.userName, read.active, read.emails?.[0]?.value],
    ['conform@example.org', true, 'conform@example.org'],
  )
  const readGroup = new SCIMMY.Schemas.Group(structuredClone(group), 'out')
  assert.deepEqual([readGroup.displayName, readGroup.members?.[0]?.value], ['Conform', user.id])
  const config = await scim.succeed('GET', '/ServiceProviderConfig')
  const readConfig = new SCIMMY.Schemas.ServiceProviderConfig(structuredClone(config), 'out')
  assert.deepEqual([readConfig.patch?.supported, readConfig.bulk?.supported], [true, false])
  const types = await scim.succeed('GET', '/ResourceTypes')
  for (const type of types.Resources) {
    const { endpoint, schema } = new SCIMMY.Schemas.ResourceType(structuredClone(type), 'out')
    const { id } = await scim.succeed('GET', `/Schemas/${schema}`)
    assert.equal(id, schema)
    assert.ok((await scim.succeed('GET', endpoint)).totalResults > 0)
  }
  const schemas = await scim.succeed('GET', '/Schemas')
  assert.equal(schemas.totalResults, 2)
  // The attributes of both schemas are those of RFC 7643.
  for (const [definition, found] of [
    [SCIMMY.Schemas.User.definition, schemas.Resources[0]],
    [SCIMMY.Schemas.Group.definition, schemas.Resources[1]],
  ] as const)
    for (const { name, type, multiValued } of found.attributes) {
      const standard = definition.attribute(name) as { type: string; config: { multiValued: boolean } }
      assert.deepEqual([standard.type, standard.config.multiValued], [type, multiValued], name)
    }
  const list = await scim.succeed('GET', '/Users?count=2')
  const { Resources } = new SCIMMY.Messages.ListResponse(structuredClone(list))
  assert.ok(Resources.length > 0)
})

test('a PATCH has the effect that an independent implementation computes', async () => {
  const created = await scim.succeed('POST', '/Users', {
    userName: 'patched@example.org',
    externalId: 'patched',
    displayName: 'Pat Ched',
    name: { givenName: 'Pat', familyName: 'Ched' },
  })
  const cases: ScimPatchOperation[][] = [
    [{ op: 'replace', path: 'displayName', value: 'New Name' }],
    [{ op: 'replace', path: 'externalId', value: 'other' }],
    [{ op: 'replace', value: { displayName: 'Third', externalId: 'third' } }],
    [{ op: 'add', path: 'name.givenName', value: 'Patricia' }],
    [{ op: 'remove', path: 'name.givenName' }],
    [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'second@example.org' }],
    [{ op: 'remove', path: 'externalId' }],
    [
      { op: 'replace', path: 'userName', value: 'third@example.org' },
      { op: 'replace', path: 'active', value: false },
    ],
    [{ op: 'replace', value: { active: true } }],
  ]
  const comparable = ({
    userName,
    displayName,
    externalId,
    emails,
    active,
    name,
  }: Record<string, unknown>) => {
    const { givenName, familyName } = (name ?? {}) as Record<string, unknown>
    return { userName, displayName, externalId, emails, active, givenName, familyName }
  }
  let current = created
  for (const operations of cases) {
    const expected = scimPatch(structuredClone(current) as ScimResource, structuredClone(operations))
    current = await scim.patch(`/Users/${created.id}`, ...operations)
    assert.deepEqual(
      comparable(current),
      comparable(expected as unknown as Record<string, unknown>),
      JSON.stringify(operations),
    )
  }
})

test('a token works only for SCIM of its workspace, until it is replaced or revoked', async () => {
  const own = await service.tenant()
  const first = await connectScim(service, own)
  assert.equal((await first.send('GET', '/Users')).status, 200)
  for (const path of ['/workspace', '/applications', '/workspace/members', '/session'])
    assert.equal((await service.call('GET', path, { key: first.token })).status, 401, path)
  const shown = await service.call('GET', '/workspace/scim-token', { key: own.workspaceKey })
  assert.equal(shown.text.includes(first.token), false)
  assert.equal(shown.body.data.token.prefix, first.token.slice(0, 8))
  const stored = await service.deps.db.selectFrom('scim_tokens').selectAll().execute()
  assert.equal(JSON.stringify(stored).includes(first.token), false)
  const second = await connectScim(service, own)
  assert.equal((await first.send('GET', '/Users')).status, 401)
  assert.equal((await second.send('GET', '/Users')).status, 200)
  const revoked = await service.call('DELETE', '/workspace/scim-token', { key: own.workspaceKey })
  assert.equal(revoked.status, 200, revoked.text)
  assert.equal((await second.send('GET', '/Users')).status, 401)
  const missing = await service.call('DELETE', '/workspace/scim-token', { key: own.workspaceKey })
  assert.deepEqual([missing.status, missing.body.code], [409, 'scim.no_token'])
})

test('only owners and callers with every scope create and revoke the token', async () => {
  const own = await service.tenant()
  const weak = await service.key(own.workspaceId, null, ['members:write'])
  const admin = await insertMember(service, own, { workspaceRole: 'admin' })
  for (const key of [weak, await service.signIn(admin, own.workspaceId)])
    for (const method of ['POST', 'DELETE']) {
      const refused = await service.call(method, '/workspace/scim-token', { key })
      assert.equal(refused.status, 403, `${method}: ${refused.text}`)
    }
})

const operations = (...list: unknown[]) => ({ Operations: list })
const deep = `${'('.repeat(200)}userName pr${')'.repeat(200)}`
const list = (filter: string) => `/Users?filter=${encodeURIComponent(filter)}`

/** Requests that are refused, with the status and the type of the error. */
const hostile: [method: string, path: string, body: unknown, status: number, scimType?: string][] = [
  ['GET', list('userName'), undefined, 400, 'invalidFilter'],
  ['GET', list('userName eq'), undefined, 400, 'invalidFilter'],
  ['GET', list('userName eq ada'), undefined, 400, 'invalidFilter'],
  ['GET', list('userName eq "ada'), undefined, 400, 'invalidFilter'],
  ['GET', list('userName is "ada"'), undefined, 400, 'invalidFilter'],
  ['GET', list('userName eq "a" or'), undefined, 400, 'invalidFilter'],
  ['GET', list('userName eq "a")'), undefined, 400, 'invalidFilter'],
  ['GET', list('(userName eq "a"'), undefined, 400, 'invalidFilter'],
  ['GET', list('password eq "a"'), undefined, 400, 'invalidFilter'],
  ['GET', list('constructor eq "a"'), undefined, 400, 'invalidFilter'],
  ['GET', list('__proto__.x eq "a"'), undefined, 400, 'invalidFilter'],
  ['GET', list('userName eq 7'), undefined, 400, 'invalidFilter'],
  ['GET', list('userName gt "a"'), undefined, 400, 'invalidFilter'],
  ['GET', list('active eq "maybe"'), undefined, 400, 'invalidFilter'],
  ['GET', list('userName[type eq "x"]'), undefined, 400, 'invalidFilter'],
  ['GET', list('userName eq "\\u0000"'), undefined, 400, 'invalidFilter'],
  ['GET', list(`userName eq "a'; drop table users; --" or`), undefined, 400, 'invalidFilter'],
  ['GET', list(deep), undefined, 400, 'invalidFilter'],
  ['GET', list(`userName eq "${'x'.repeat(3_000)}"`), undefined, 400, 'invalidFilter'],
  ['GET', '/Users?count=many', undefined, 400, 'invalidValue'],
  ['GET', '/Users?startIndex=1e9', undefined, 400, 'invalidValue'],
  ['GET', '/Users/%00', undefined, 404],
  ['GET', '/Users/unknown', undefined, 404],
  ['GET', '/Groups/unknown', undefined, 404],
  ['GET', '/Schemas/unknown', undefined, 404],
  ['GET', '/Schemas?filter=id%20pr', undefined, 403],
  ['GET', '/Nothing', undefined, 404],
  ['GET', '/Me', undefined, 501],
  ['POST', '/Bulk', {}, 501],
  ['POST', '/Users', [], 400, 'invalidSyntax'],
  ['POST', '/Users', {}, 400, 'invalidValue'],
  ['POST', '/Users', { userName: 7 }, 400, 'invalidValue'],
  ['POST', '/Users', { userName: ['x@example.org'] }, 400, 'invalidValue'],
  ['POST', '/Users', { userName: 'no address' }, 400, 'invalidValue'],
  ['POST', '/Users', { userName: 'x@example.org\u0000' }, 400, 'invalidValue'],
  ['POST', '/Users', { userName: `${'x'.repeat(300)}@example.org` }, 400, 'invalidValue'],
  ['POST', '/Users', { userName: 'x@example.org', emails: 'x@a.example,y@b.example' }, 400, 'invalidValue'],
  ['POST', '/Users', { userName: 'x@example.org', emails: [7] }, 400, 'invalidValue'],
  ['POST', '/Users', { userName: 'x@example.org', active: 'maybe' }, 400, 'invalidValue'],
  ['POST', '/Users', { userName: 'x@example.org', name: 'X' }, 400, 'invalidValue'],
  ['POST', '/Users', { userName: 'x@example.org', displayName: {} }, 400, 'invalidValue'],
  ['POST', '/Users', { userName: '\ud800@example.org' }, 400, 'invalidValue'],
  ['POST', '/Groups', {}, 400, 'invalidValue'],
  ['POST', '/Groups', { displayName: ' ' }, 400, 'invalidValue'],
  ['POST', '/Groups', { displayName: 'x', members: [{}] }, 400, 'invalidValue'],
  [
    'POST',
    '/Groups',
    { displayName: 'x', members: Array.from({ length: 2_001 }, () => ({ value: 'x' })) },
    400,
    'invalidValue',
  ],
  ['PATCH', '/Users/USER', {}, 400, 'invalidSyntax'],
  ['PATCH', '/Users/USER', operations(), 400, 'invalidSyntax'],
  ['PATCH', '/Users/USER', operations('x'), 400, 'invalidSyntax'],
  ['PATCH', '/Users/USER', operations({ op: 'move', path: 'displayName', value: 'x' }), 400, 'invalidSyntax'],
  ['PATCH', '/Users/USER', operations({ op: 'remove' }), 400, 'noTarget'],
  ['PATCH', '/Users/USER', operations({ op: 'replace', value: 'x' }), 400, 'invalidValue'],
  ['PATCH', '/Users/USER', operations({ op: 'replace', path: 'emails[', value: 'x' }), 400, 'invalidPath'],
  [
    'PATCH',
    '/Users/USER',
    operations({ op: 'replace', path: 'emails[type eq]', value: 'x' }),
    400,
    'invalidPath',
  ],
  ['PATCH', '/Users/USER', operations({ op: 'replace', path: 'a b', value: 'x' }), 400, 'invalidPath'],
  ['PATCH', '/Users/USER', operations({ op: 'replace', path: 7, value: 'x' }), 400, 'invalidPath'],
  ['PATCH', '/Users/USER', operations({ op: 'replace', path: 'id', value: 'x' }), 400, 'mutability'],
  ['PATCH', '/Users/USER', operations({ op: 'remove', path: 'userName' }), 400, 'invalidValue'],
  [
    'PATCH',
    '/Users/USER',
    operations({ op: 'replace', path: 'active', value: null }, { op: 'replace', path: 'active', value: 3 }),
    400,
    'invalidValue',
  ],
  [
    'PATCH',
    '/Users/USER',
    operations(...Array.from({ length: 1_001 }, () => ({ op: 'add', path: 'x', value: 1 }))),
    400,
    'tooMany',
  ],
]

test('hostile requests are refused in the format of SCIM and change nothing', async () => {
  const user = await scim.succeed('POST', '/Users', { userName: 'steady@example.org' })
  const before = await scim.succeed('GET', `/Users/${user.id}`)
  for (const [method, path, body, status, scimType] of hostile) {
    const response = await scim.send(method, path.replace('USER', user.id), body)
    const about = `${method} ${path.slice(0, 100)} ${JSON.stringify(body)?.slice(0, 100)}: ${response.text}`
    assert.deepEqual([response.status, response.body.scimType], [status, scimType], about)
    assert.deepEqual(response.body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'], about)
    assert.equal(response.body.status, String(status))
    assert.match(String(response.headers.get('content-type')), /^application\/scim\+json/)
  }
  assert.deepEqual(await scim.succeed('GET', `/Users/${user.id}`), before)
  const polluted = await scim.send('PATCH', `/Users/${user.id}`, {
    Operations: JSON.parse('[{"op":"replace","value":{"__proto__":{"active":false},"constructor":{"x":1}}}]'),
  })
  assert.deepEqual([polluted.status, polluted.body.scimType], [400, 'invalidPath'], polluted.text)
})

test('hostile tokens are refused', async () => {
  const { token } = scim
  const headers: (string | undefined)[] = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
    token,
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token.toLowerCase()}`,
    `Bearer ${token} ${token}`,
    `Bearer ${generateScimToken()}`,
    `Bearer ${tenant.workspaceKey}`,
    `Bearer ${tenant.applicationKey}`,
    'Bearer null',
    `Bearer ${'x'.repeat(5_000)}`,
  ]
  for (const authorization of headers) {
    const response = await service.call('GET', `${scim.baseUrl}/Users`, {
      key: null,
      headers: authorization === undefined ? {} : { authorization },
    })
    assert.equal(response.status, 401, authorization)
    assert.equal(response.body.status, '401', response.text)
  }
  const owner = await insertMember(service, tenant, { workspaceRole: 'owner' })
  const session = await service.call('GET', `${scim.baseUrl}/Users`, { key: await service.signIn(owner) })
  assert.equal(session.status, 401)
})

test('invalid tokens are counted like invalid keys', async () => {
  const limited = await startService({ environment: { QUAYSIDE_FAILED_KEY_LIMIT: '5' } })
  try {
    const statuses: number[] = []
    for (let index = 0; index < 8; index++) {
      const path = `${limited.url}/scim/v2/Users`
      statuses.push((await limited.call('GET', path, { key: generateScimToken() })).status)
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429, 429])
  } finally {
    await limited.close()
  }
})
