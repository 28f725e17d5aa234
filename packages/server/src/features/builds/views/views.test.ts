import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { auditEntry } from '../../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { insertMember } from '../../../../test/people.ts'
import { dropViews } from './delete-old-views.job.ts'

let service: Service
let tenant: Tenant
let path: string
/** The sessions of members of the application, by role. */
const people: Record<'developer' | 'qa' | 'readonly', string> = { developer: '', qa: '', readonly: '' }

before(async () => {
  service = await startService()
  tenant = await service.tenant({ platforms: ['ios', 'android'] })
  path = `/applications/${tenant.applicationId}/views`
  for (const applicationRole of ['developer', 'qa', 'readonly'] as const)
    people[applicationRole] = await service.signIn(await insertMember(service, tenant, { applicationRole }))
})
after(() => service.close())

const send = (key: string | null, method: string, to: string, body?: unknown) =>
  service.call(method, to, { key, body })
let count = 0
const newView = (fields: object = {}) => ({
  name: `View ${++count}`,
  visibility: 'personal',
  query: { platforms: 'ios', sort_by: 'version', sort: 'desc', group_by: 'none', hidden_columns: ['size'] },
  ...fields,
})
const create = async (key: string, fields: object = {}) => {
  const { status, body, text } = await send(key, 'POST', path, newView(fields))
  assert.equal(status, 201, text)
  return body.data
}
const namesFor = async (key: string) =>
  (await send(key, 'GET', path)).body.data.map(({ name }: { name: string }) => name)

describe('views', () => {
  test('creates a view, gets it, changes it and deletes it', async () => {
    const view = await create(people.developer, { name: ' Nightly iOS ', visibility: 'team' })
    assert.deepEqual(
      [view.name, view.visibility, view.application_id],
      ['Nightly iOS', 'team', tenant.applicationId],
    )
    assert.deepEqual(view.query, newView().query)
    const one = `${path}/${view.id}`
    assert.deepEqual((await send(people.readonly, 'GET', one)).body.data, view)
    assert.equal((await auditEntry(service, view.id)).action, 'view.created')

    const query = { branches: 'main,release\\,1', kept: true }
    const changed = await send(people.qa, 'PATCH', one, { query })
    assert.deepEqual([changed.body.data.name, changed.body.data.query], ['Nightly iOS', query])
    const { action, before: old, after: saved } = await auditEntry(service, view.id)
    assert.deepEqual(
      [action, old, saved],
      [
        'view.updated',
        { name: 'Nightly iOS', visibility: 'team', query: view.query },
        { name: 'Nightly iOS', visibility: 'team', query },
      ],
    )
    assert.equal((await send(people.qa, 'DELETE', one)).status, 200)
    assert.equal((await send(people.qa, 'GET', one)).status, 404)
    assert.equal((await send(people.qa, 'DELETE', one)).status, 404)
  })

  test('shows personal views only to their owner', async () => {
    const view = await create(people.readonly, { name: 'Only mine' })
    const one = `${path}/${view.id}`
    assert.ok((await namesFor(people.readonly)).includes('Only mine'))
    for (const key of [people.developer, tenant.workspaceKey, tenant.applicationKey]) {
      assert.ok(!(await namesFor(key)).includes('Only mine'))
      for (const [method, to, body] of [
        ['GET', one],
        ['PATCH', one, { name: 'Yours' }],
        ['DELETE', one],
        ['POST', `${one}/restore`],
      ] as const)
        assert.equal((await send(key, method, to, body)).status, 404, `${method} ${to}`)
    }
    const entries = service.deps.db.selectFrom('audit_entries').where('subject_id', '=', view.id)
    assert.deepEqual(await entries.select('id').execute(), [])
    await create(people.developer, { name: 'Only mine' })
  })

  test('lets only members who may change builds change team views', async () => {
    const refusal = "This action requires 'builds:write' scope."
    const own = await create(people.readonly)
    const team = await create(people.developer, { visibility: 'team' })
    for (const [method, to, body] of [
      ['POST', path, newView({ visibility: 'team' })],
      ['PATCH', `${path}/${own.id}`, { visibility: 'team' }],
      ['PATCH', `${path}/${team.id}`, { name: 'Renamed' }],
      ['PATCH', `${path}/${team.id}`, { visibility: 'personal' }],
      ['DELETE', `${path}/${team.id}`],
    ] as const) {
      const { status, body: response } = await send(people.readonly, method, to, body)
      assert.deepEqual([status, response.message], [403, refusal], `${method} ${to}`)
    }
    const personal = await send(people.qa, 'PATCH', `${path}/${team.id}`, { visibility: 'personal' })
    assert.equal(personal.body.data.visibility, 'personal')
    assert.equal((await send(people.developer, 'GET', `${path}/${team.id}`)).status, 404)
  })

  test('accepts team views of API keys and rejects personal ones', async () => {
    for (const key of [tenant.workspaceKey, tenant.applicationKey]) {
      const { status, body } = await send(key, 'POST', path, newView())
      assert.deepEqual([status, body.errors], [422, { visibility: ['must be "team" for API keys.'] }])
      await create(key, { visibility: 'team' })
    }
    const key = await service.key(tenant.workspaceId, tenant.applicationId, ['builds:read'])
    assert.equal((await send(key, 'POST', path, newView({ visibility: 'team' }))).status, 403)
    assert.equal((await send(key, 'GET', path)).status, 200)
  })

  test('hides views from other workspaces and members of other applications', async () => {
    const other = await service.tenant()
    const view = await create(people.developer, { visibility: 'team' })
    const stranger = await service.signIn(await insertMember(service, tenant))
    const foreigner = await service.signIn(await insertMember(service, other, { workspaceRole: 'owner' }))
    for (const key of [stranger, foreigner, other.workspaceKey, other.applicationKey])
      for (const to of [path, `${path}/${view.id}`]) assert.equal((await send(key, 'GET', to)).status, 404)
    const elsewhere = `/applications/${other.applicationId}/views/${view.id}`
    assert.equal((await send(foreigner, 'GET', elsewhere)).status, 404)
  })

  test('stores only known parameters', async () => {
    const query = {
      search: '<script>alert(1)</script>',
      platforms: '',
      page: 3,
      trashed: true,
      constructor: { prototype: { polluted: true } },
      href: 'javascript:alert(1)',
    }
    const hostile = JSON.parse(JSON.stringify(query).replace('{', '{"__proto__":{"polluted":true},'))
    const view = await create(people.qa, { query: hostile })
    assert.deepEqual(view.query, { search: '<script>alert(1)</script>' })
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  })

  for (const [flaw, fields, field] of [
    ['an unknown platform', { query: { platforms: 'ios,beos' } }, 'query.platforms'],
    ['an unknown stream', { query: { streams: 'no such stream' } }, 'query.streams'],
    ['an unknown label', { query: { labels: 'no such label' } }, 'query.labels'],
    ['a time that is none', { query: { created_after: 'yesterday' } }, 'query.created_after'],
    ['an unknown order', { query: { sort_by: 'name; drop table views' } }, 'query.sort_by'],
    ['an unknown grouping', { query: { group_by: 'day' } }, 'query.group_by'],
    ['an unknown column', { query: { hidden_columns: ['password'] } }, 'query.hidden_columns.0'],
    ['the same column twice', { query: { hidden_columns: ['size', 'size'] } }, 'query.hidden_columns'],
    ['a nested filter', { query: { branches: { $ne: '' } } }, 'query.branches'],
    ['a filter that is too long', { query: { branches: 'x'.repeat(5001) } }, 'query.branches'],
    ['a search that is too long', { query: { search: 'x'.repeat(101) } }, 'query.search'],
    ['NUL in a filter', { query: { branches: 'a\0b' } }, 'query.branches'],
    ['text as query', { query: 'platforms=ios' }, 'query'],
    ['a name of 81 characters', { name: 'x'.repeat(81) }, 'name'],
    ['an invisible name', { name: '\u200b' }, 'name'],
    ['an unknown visibility', { visibility: 'public' }, 'visibility'],
  ] as const)
    test(`rejects a view with ${flaw}`, async () => {
      const { status, body } = await send(people.developer, 'POST', path, newView(fields))
      assert.equal(status, 422)
      assert.deepEqual(Object.keys(body.errors), [field])
    })

  test('rejects a name that differs only in case from another view of the same owner', async () => {
    const view = await create(people.developer, { name: 'Release candidates', visibility: 'team' })
    const again = newView({ name: 'release CANDIDATES', visibility: 'team' })
    assert.equal((await send(people.qa, 'POST', path, again)).body.code, 'view.name_taken')
    const own = await create(people.qa, { name: 'release candidates' })
    const shared = await send(people.qa, 'PATCH', `${path}/${own.id}`, { visibility: 'team' })
    assert.equal(shared.body.code, 'view.name_taken')
    await send(people.qa, 'DELETE', `${path}/${view.id}`)
    assert.equal((await send(people.qa, 'POST', path, again)).status, 201)
    assert.equal((await send(people.qa, 'POST', `${path}/${view.id}/restore`)).body.code, 'view.name_taken')
  })

  test('restores a deleted view with its ID for a day', async () => {
    const { db } = service.deps
    const view = await create(people.developer, { visibility: 'team' })
    const restore = () => send(people.developer, 'POST', `${path}/${view.id}/restore`)
    assert.equal((await restore()).body.code, 'view.not_deleted')
    await send(people.developer, 'PATCH', '/pins', { view_ids: [view.id] })
    await send(people.developer, 'DELETE', `${path}/${view.id}`)
    assert.deepEqual((await send(people.developer, 'GET', '/pins')).body.data.views, [])
    assert.equal((await send(people.readonly, 'POST', `${path}/${view.id}/restore`)).status, 403)
    assert.deepEqual((await restore()).body.data, view)
    assert.equal((await auditEntry(service, view.id)).action, 'view.restored')
    assert.deepEqual((await send(people.developer, 'GET', '/pins')).body.data.views, [view])

    const deletedHoursAgo = async (hours: number) => {
      await send(people.developer, 'DELETE', `${path}/${view.id}`)
      const deleted_at = new Date(Date.now() - hours * 3_600_000).toISOString()
      await db.updateTable('views').set({ deleted_at }).where('id', '=', view.id).execute()
      await dropViews.handle(service.deps, {}, new AbortController().signal)
    }
    await deletedHoursAgo(23)
    assert.equal((await restore()).status, 200)
    await deletedHoursAgo(25)
    assert.equal((await restore()).status, 404)
  })

  test('limits the views of an application', async () => {
    const own = await service.tenant()
    const to = `/applications/${own.applicationId}/views`
    const row = { workspace_id: own.workspaceId, application_id: own.applicationId, query: '{}' }
    const rows = Array.from({ length: 99 }, (_, index) => ({
      ...row,
      id: `v${index}`,
      name: `View ${index}`,
    }))
    await service.deps.db.insertInto('views').values(rows).execute()
    const add = (name: string) => send(own.workspaceKey, 'POST', to, { name, visibility: 'team', query: {} })
    const statuses = (await Promise.all(['a', 'b', 'c'].map(add))).map(({ status }) => status)
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [201, 409, 409],
    )
    assert.equal((await add('d')).body.code, 'view.too_many')
    assert.equal((await send(own.workspaceKey, 'GET', to)).body.data.length, 100)
  })
})

describe('pins', () => {
  test('keeps applications and views in the order of each person', async () => {
    const second = await send(tenant.workspaceKey, 'POST', '/applications', {
      name: 'Second',
      platforms: ['ios'],
    })
    const owner = await service.signIn(await insertMember(service, tenant, { workspaceRole: 'owner' }))
    const ids = [second.body.data.id as string, tenant.applicationId]
    const views = [await create(owner), await create(owner, { visibility: 'team' })]
    const pins = { application_ids: ids, views: views.toReversed() }
    const view_ids = views.map(({ id }) => id).toReversed()
    const saved = await send(owner, 'PATCH', '/pins', { application_ids: ids, view_ids })
    assert.deepEqual(saved.body.data, pins)
    assert.deepEqual((await send(owner, 'GET', '/pins')).body.data, pins)
    const moved = await send(owner, 'PATCH', '/pins', { application_ids: ids.toReversed() })
    assert.deepEqual(moved.body.data, { ...pins, application_ids: ids.toReversed() })
    assert.deepEqual((await send(people.qa, 'GET', '/pins')).body.data, { application_ids: [], views: [] })
  })

  test('does not pin what the person cannot read, and omits it after access ends', async () => {
    const userId = await insertMember(service, tenant, { applicationRole: 'readonly' })
    const key = await service.signIn(userId)
    const hidden = await send(tenant.workspaceKey, 'POST', '/applications', {
      name: 'Hidden',
      platforms: ['ios'],
    })
    const ofOther = await create(people.qa)
    const team = await create(people.qa, { visibility: 'team' })
    for (const body of [{ application_ids: [hidden.body.data.id] }, { view_ids: [ofOther.id] }])
      assert.equal((await send(key, 'PATCH', '/pins', body)).status, 404)
    const body = { application_ids: [tenant.applicationId], view_ids: [team.id] }
    assert.equal((await send(key, 'PATCH', '/pins', body)).status, 200)
    await send(people.qa, 'PATCH', `${path}/${team.id}`, { visibility: 'personal' })
    assert.deepEqual((await send(key, 'GET', '/pins')).body.data.views, [])
    await send(people.qa, 'PATCH', `${path}/${team.id}`, { visibility: 'team' })
    const member = `/applications/${tenant.applicationId}/members/${userId}`
    assert.equal((await send(tenant.workspaceKey, 'DELETE', member)).status, 200)
    const again = await service.signIn(userId)
    assert.deepEqual((await send(again, 'GET', '/pins')).body.data, { application_ids: [], views: [] })
  })

  test('keeps the pins of an application in the trash when others are pinned', async () => {
    const owner = await service.signIn(await insertMember(service, tenant, { workspaceRole: 'owner' }))
    const body = { name: 'Trashed', platforms: ['ios'] }
    const { id } = (await send(tenant.workspaceKey, 'POST', '/applications', body)).body.data
    const view = (await send(owner, 'POST', `/applications/${id}/views`, newView())).body.data
    await send(owner, 'PATCH', '/pins', { application_ids: [id], view_ids: [view.id] })
    assert.equal((await send(tenant.workspaceKey, 'DELETE', `/applications/${id}`)).status, 200)
    const other = await create(owner)
    const pins = { application_ids: [tenant.applicationId], view_ids: [other.id] }
    const { data } = (await send(owner, 'PATCH', '/pins', pins)).body
    assert.deepEqual(data, { application_ids: [tenant.applicationId], views: [other] })
    assert.equal((await send(tenant.workspaceKey, 'POST', `/applications/${id}/restore`)).status, 200)
    const restored = (await send(owner, 'GET', '/pins')).body.data
    assert.deepEqual(new Set(restored.application_ids), new Set([id, tenant.applicationId]))
    assert.deepEqual(
      new Set(restored.views.map((each: { id: string }) => each.id)),
      new Set([view.id, other.id]),
    )
  })

  test('rejects API keys and lists that are too long', async () => {
    assert.equal((await send(tenant.workspaceKey, 'GET', '/pins')).body.code, 'key.not_allowed')
    const ids = Array.from({ length: 101 }, (_, index) => `a${index}`)
    for (const body of [{ application_ids: ids }, { view_ids: ['a', 'a'] }, {}])
      assert.equal((await send(people.qa, 'PATCH', '/pins', body)).status, 422)
  })
})
