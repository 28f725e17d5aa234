import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { insertMember } from '../../../../test/people.ts'
import { connectScim } from '../../../../test/scim-client.ts'
import { until } from '../../../../test/until.ts'
import { insertPassword } from '../../../sign-in/account.db.ts'

let service: Service
let tenant: Tenant
let scim: Awaited<ReturnType<typeof connectScim>>

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  scim = await connectScim(service, tenant)
})
after(() => service.close())

const membershipOf = (userId: string, { workspaceId }: Pick<Tenant, 'workspaceId'> = tenant) =>
  service.deps.db
    .selectFrom('workspace_members')
    .select(['role', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

const accountOf = (userId: string) =>
  service.deps.db
    .selectFrom('users')
    .select(['email', 'name', 'email_verified'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()

let count = 0
const nextEmail = () => `person-${(count += 1)}-${tenant.workspaceId.toLowerCase()}@example.com`

/** The body that Microsoft Entra ID sends. */
const entraUser = (email: string) => ({
  schemas: [
    'urn:ietf:params:scim:schemas:core:2.0:User',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  ],
  externalId: `external ${email}`,
  userName: email,
  active: true,
  displayName: 'Ada Lovelace',
  emails: [{ primary: true, type: 'work', value: email }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
  roles: [],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Games' },
})

const create = async (email = nextEmail()) =>
  (await scim.succeed('POST', '/Users', entraUser(email))) as { id: string; userName: string }

describe('a person', () => {
  test('is created as a member with the lowest role and found by filters', async () => {
    const email = nextEmail()
    const response = await scim.send('POST', '/Users', entraUser(email))
    assert.equal(response.status, 201, response.text)
    assert.equal(response.headers.get('content-type'), 'application/scim+json; charset=utf-8')
    const { id, meta } = response.body
    assert.equal(response.headers.get('location'), `${scim.baseUrl}/Users/${id}`)
    assert.equal(meta.location, `${scim.baseUrl}/Users/${id}`)
    assert.deepEqual(await membershipOf(id), { role: 'member', name: 'Ada Lovelace' })
    const filters = [
      `userName eq "${email.toUpperCase()}"`,
      `USERNAME Eq "${email}"`,
      `externalId eq "external ${email}"`,
      `userName eq "${email}" and externalId eq "external ${email}"`,
      `emails[type eq "work" and value eq "${email}"]`,
      `emails[type eq "work"].value eq "${email}"`,
      `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${email}"`,
      `userName sw "${email.slice(0, 10)}" and (active eq true) and not (id eq "x")`,
    ]
    for (const filter of filters) {
      const list = await scim.succeed('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      const ids = list.Resources.map((each: { id: string }) => each.id)
      assert.ok(ids.includes(id), filter)
    }
    const none = await scim.succeed('GET', '/Users?filter=userName%20eq%20%22nobody%22')
    assert.deepEqual([none.totalResults, none.Resources], [0, []])
    const repeated = await scim.send('POST', '/Users', entraUser(email))
    assert.deepEqual([repeated.status, repeated.body.scimType], [409, 'uniqueness'])
  })

  test('is listed in pages that start at 1', async () => {
    const total = (await scim.succeed('GET', '/Users?count=0')).totalResults
    const pages = await Promise.all(
      Array.from({ length: total }, (_, index) =>
        scim.succeed('GET', `/Users?startIndex=${index + 1}&count=1`),
      ),
    )
    assert.equal(new Set(pages.map(({ Resources }) => Resources[0].id)).size, total)
    assert.equal((await scim.succeed('GET', '/Users?startIndex=-3&count=-1')).itemsPerPage, 0)
    const short = await scim.succeed('GET', '/Users?attributes=userName&count=1')
    assert.deepEqual(Object.keys(short.Resources[0]).toSorted(), ['id', 'meta', 'schemas', 'userName'])
  })

  test('changes by what Microsoft Entra ID and Okta send', async () => {
    const { id } = await create()
    const email = nextEmail()
    await scim.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'displayName', value: 'Ada King' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: email },
      { op: 'Add', path: 'name.givenName', value: 'Augusta' },
      { op: 'Add', path: 'title', value: 'Countess' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '123' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'Games',
      },
    )
    const changed = await scim.succeed('GET', `/Users/${id}`)
    assert.deepEqual(changed.emails, [{ value: email, type: 'work', primary: true }])
    assert.deepEqual(
      [changed.displayName, changed.name.givenName, changed.name.familyName],
      ['Ada King', 'Augusta', 'Lovelace'],
    )
    assert.equal((await accountOf(id)).email, email)
    // Entra ID sends paths as keys of an object without a path, and Okta an object of attributes.
    await scim.patch(`/Users/${id}`, {
      op: 'replace',
      value: { 'name.familyName': 'Byron', displayName: 'Ada Byron', id: 'ignored' },
    })
    assert.deepEqual(await membershipOf(id), { role: 'member', name: 'Ada Byron' })
    for (const value of ['False', false, 'false']) {
      await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value })
      assert.equal(await membershipOf(id), undefined)
      const { active } = await scim.patch(`/Users/${id}`, { op: 'Replace', value: { active: 'True' } })
      assert.equal(active, true)
      assert.notEqual(await membershipOf(id), undefined)
    }
    const replaced = await scim.succeed('PUT', `/Users/${id}`, {
      ...entraUser(email),
      active: false,
      name: { givenName: 'Grace', familyName: 'Hopper' },
      displayName: undefined,
    })
    assert.deepEqual([replaced.active, replaced.displayName], [false, 'Grace Hopper'])
    // A replacement that does not mention the state keeps it.
    const kept = await scim.succeed('PUT', `/Users/${id}`, { ...entraUser(email), active: undefined })
    assert.equal(kept.active, false)
    // Neither does a replacement without email addresses change the address.
    const withoutEmails = { ...entraUser(nextEmail()), emails: undefined }
    const renamed = await scim.succeed('PUT', `/Users/${id}`, withoutEmails)
    assert.deepEqual([renamed.userName, renamed.emails[0].value], [withoutEmails.userName, email])
    const removed = await scim.patch(`/Users/${id}`, { op: 'remove', path: 'emails' })
    assert.equal(removed.emails[0].value, email)
  })

  test('loses sessions, keys, trusted access and open invitations when deactivated', async () => {
    const email = nextEmail()
    const id = await insertMember(service, tenant, { email, workspaceRole: 'admin' })
    const key = await service.signIn(id, tenant.workspaceId)
    const apiKey = await service.call('POST', '/workspace/api-keys', {
      key,
      body: { name: 'mine', scopes: ['workspace:read'] },
    })
    assert.equal(apiKey.status, 201, apiKey.text)
    const secret = apiKey.body.data.key as string
    assert.equal((await service.call('GET', '/workspace', { key: secret })).status, 200)
    const [found] = (
      await scim.succeed('GET', `/Users?filter=${encodeURIComponent(`userName eq "${email}"`)}`)
    ).Resources
    assert.equal(found.id, id)
    const ended = await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
    assert.equal(ended.active, false)
    await until('the session and the key are refused', async () => {
      const statuses = await Promise.all(
        [key, secret].map(async (each) => (await service.call('GET', '/workspace', { key: each })).status),
      )
      return statuses.every((status) => status === 401 || status === 403)
    })
    const again = await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })
    assert.equal(again.active, true)
    // A role is never granted by the identity provider.
    assert.equal((await membershipOf(id))?.role, 'member')
    assert.ok([401, 403].includes((await service.call('GET', '/workspace', { key: secret })).status))
  })

  test('is unknown after deletion and can be created again', async () => {
    const { id, userName } = await create()
    assert.equal((await scim.send('DELETE', `/Users/${id}`)).status, 204)
    assert.equal(await membershipOf(id), undefined)
    for (const method of ['GET', 'DELETE'])
      assert.equal((await scim.send(method, `/Users/${id}`)).status, 404)
    assert.equal((await create(userName)).id, id)
    assert.notEqual(await membershipOf(id), undefined)
  })
})

describe('the last owner', () => {
  test('cannot be deactivated or deleted', async () => {
    const own = await service.tenant()
    const { send } = await connectScim(service, own)
    const owner = await insertMember(service, own, { workspaceRole: 'owner' })
    const second = await insertMember(service, own, { workspaceRole: 'owner' })
    assert.equal((await send('DELETE', `/Users/${second}`)).status, 204)
    const operations = { Operations: [{ op: 'replace', path: 'active', value: false }] }
    const refused = [
      await send('PATCH', `/Users/${owner}`, operations),
      await send('DELETE', `/Users/${owner}`),
    ]
    for (const { status, body } of refused)
      assert.deepEqual(
        [status, body.scimType, body.schemas],
        [400, 'mutability', ['urn:ietf:params:scim:api:messages:2.0:Error']],
      )
    assert.equal((await membershipOf(owner, own))?.role, 'owner')
  })
})

describe('a person of another workspace', () => {
  test('is linked without any change of the account and the other membership', async () => {
    const other = await service.tenant()
    const email = nextEmail()
    const id = await insertMember(service, other, { name: 'Chosen', email, workspaceRole: 'admin' })
    await service.deps.db
      .updateTable('users')
      .set({ email_verified: true, name: 'Chosen' })
      .where('id', '=', id)
      .execute()
    const account = await accountOf(id)
    const linked = await create(email)
    assert.equal(linked.id, id)
    const changed = nextEmail()
    await scim.patch(
      `/Users/${id}`,
      { op: 'replace', path: 'userName', value: changed },
      { op: 'replace', path: 'emails', value: [{ value: changed, primary: true }] },
      { op: 'replace', path: 'displayName', value: 'Other' },
    )
    assert.deepEqual(await accountOf(id), account)
    assert.deepEqual(await membershipOf(id, other), { role: 'admin', name: 'Chosen' })
    await scim.succeed('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', value: { active: false } }] })
    await scim.send('DELETE', `/Users/${id}`)
    assert.deepEqual(await accountOf(id), account)
    assert.deepEqual(await membershipOf(id, other), { role: 'admin', name: 'Chosen' })
  })

  test('is not linked if someone signs in with an address that nobody has proven', async () => {
    const other = await service.tenant()
    const email = nextEmail()
    const id = await insertMember(service, other, { email })
    await service.deps.db.transaction().execute((tx) => insertPassword(tx, id, 'hash'))
    const refused = await scim.send('POST', '/Users', entraUser(email))
    assert.deepEqual([refused.status, refused.body.scimType], [409, 'uniqueness'])
    assert.equal(await membershipOf(id), undefined)
  })

  test('cannot be read or changed', async () => {
    const other = await service.tenant()
    const id = await insertMember(service, other)
    const operations = { Operations: [{ op: 'replace', path: 'active', value: false }] }
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', entraUser(nextEmail())],
      ['PATCH', operations],
      ['DELETE', undefined],
    ] as const)
      assert.equal((await scim.send(method, `/Users/${id}`, body)).status, 404, method)
    assert.equal((await membershipOf(id, other))?.role, 'member')
  })
})

test('a changed email address of a created person ends every sign-in method', async () => {
  const { id } = await create()
  await service.deps.db.transaction().execute((tx) => insertPassword(tx, id, 'hash'))
  const key = await service.signIn(id, tenant.workspaceId)
  const email = nextEmail()
  await scim.patch(`/Users/${id}`, { op: 'replace', path: 'emails[type eq "work"].value', value: email })
  assert.equal((await accountOf(id)).email, email)
  const methods = await service.deps.db
    .selectFrom('accounts')
    .select('id')
    .where('user_id', '=', id)
    .execute()
  assert.deepEqual(methods, [])
  await until(
    'the session has ended',
    async () => (await service.call('GET', '/session', { key })).status === 401,
  )
  // An address of somebody else is not taken over.
  const { id: other } = await create()
  const { email: taken } = await accountOf(other)
  const refused = await scim.send('PATCH', `/Users/${id}`, {
    Operations: [{ op: 'replace', path: 'emails[type eq "work"].value', value: taken }],
  })
  assert.deepEqual([refused.status, refused.body.scimType], [409, 'uniqueness'])
})
