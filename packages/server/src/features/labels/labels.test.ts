import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const levels = [
  ['application', 'an application label', () => `/applications/${tenant.applicationId}/labels`],
  ['workspace', 'a workspace label', () => '/workspace/labels'],
] as const

const send = (method: string, path: string, body?: unknown, key = tenant.workspaceKey) =>
  service.call(method, path, { key, body })

for (const [level, kind, path] of levels) {
  test(`creates ${kind}, gets it by ID or name, updates it and deletes it`, async () => {
    const created = await send('POST', path(), { name: ' Beta ', color: '#AABBCC' })
    assert.equal(created.status, 201)
    const { id } = created.body.data
    assert.deepEqual(
      [created.body.data.name, created.body.data.color, created.body.data.level],
      ['Beta', '#aabbcc', level],
    )
    assert.equal(created.body.data.workspace_id, tenant.workspaceId)
    assert.equal(created.body.data.application_id, level === 'application' ? tenant.applicationId : null)
    assert.equal((await auditEntry(service, id)).action, 'label.created')
    for (const identifier of [id, 'Beta', 'bETA'])
      assert.deepEqual((await send('GET', `${path()}/${identifier}`)).body.data, created.body.data)

    const changed = await send('PATCH', `${path()}/beta`, { description: 'for early adopters' })
    assert.equal(changed.status, 200)
    assert.deepEqual([changed.body.data.name, changed.body.data.description], ['Beta', 'for early adopters'])
    const entry = await auditEntry(service, id)
    assert.deepEqual(entry.before, { name: 'Beta', description: null, color: '#aabbcc' })
    assert.deepEqual(entry.after, { name: 'Beta', description: 'for early adopters', color: '#aabbcc' })
    assert.equal((await send('PATCH', `${path()}/${id}`, { description: null })).body.data.description, null)

    assert.equal((await send('DELETE', `${path()}/${id}`)).status, 200)
    assert.equal((await send('GET', `${path()}/${id}`)).status, 404)
    assert.equal((await auditEntry(service, id)).action, 'label.deleted')
  })

  test(`rejects ${kind} whose name differs from an existing name only in case`, async () => {
    await send('POST', path(), { name: 'taken' })
    const other = await send('POST', path(), { name: 'other' })
    assert.equal((await send('POST', path(), { name: 'TAKEN' })).body.code, 'label.name_taken')
    const changed = await send('PATCH', `${path()}/${other.body.data.id}`, { name: 'Taken' })
    assert.equal(changed.status, 409)
  })

  for (const [flaw, body, field] of [
    ['without a name', {}, 'name'],
    ['whose name has 51 characters', { name: 'x'.repeat(51) }, 'name'],
    ['whose name is ".."', { name: '..' }, 'name'],
    ['whose color is not in #rrggbb format', { name: 'x', color: 'red' }, 'color'],
    ['whose description is a number', { name: 'x', description: 1 }, 'description'],
  ] as const) {
    test(`rejects ${kind} ${flaw}`, async () => {
      const response = await send('POST', path(), body)
      assert.equal(response.status, 422)
      assert.ok(field in response.body.errors)
    })
  }
}

test('includes workspace labels in the label list of an application but not vice versa', async () => {
  const own = await service.tenant()
  await send('POST', '/workspace/labels', { name: 'shared' }, own.workspaceKey)
  await send('POST', `/applications/${own.applicationId}/labels`, { name: 'own' }, own.workspaceKey)
  const names = async (path: string) =>
    (await send('GET', path, undefined, own.workspaceKey)).body.data.map(
      (label: { name: string }) => label.name,
    )
  assert.deepEqual(await names('/workspace/labels'), ['shared'])
  assert.deepEqual(await names(`/applications/${own.applicationId}/labels`), ['own', 'shared'])
})

test('rejects changes to a workspace label through an application endpoint', async () => {
  await send('POST', '/workspace/labels', { name: 'common' })
  const path = `/applications/${tenant.applicationId}/labels/common`
  for (const method of ['PATCH', 'DELETE']) {
    const response = await send(method, path, method === 'PATCH' ? { name: 'x' } : undefined)
    assert.equal(response.status, 409)
    assert.equal(response.body.code, 'label.of_workspace')
  }
  assert.equal((await send('POST', `${path}/promote`)).status, 409)
})

test('keeps a label on its builds when the label is promoted to the workspace', async () => {
  const own = await service.tenant()
  const { build } = await uploadedBuild(service, own, { labels: ['qa'] })
  const path = `/applications/${own.applicationId}/labels/qa/promote`
  const response = await send('POST', path, undefined, own.workspaceKey)
  assert.equal(response.status, 200)
  assert.deepEqual([response.body.data.level, response.body.data.application_id], ['workspace', null])
  const entry = await auditEntry(service, build.labels[0].id)
  assert.equal(entry.action, 'label.promoted')
  const read = await send(
    'GET',
    `/applications/${own.applicationId}/builds/${build.id}`,
    undefined,
    own.workspaceKey,
  )
  assert.deepEqual(
    read.body.data.labels.map((label: { name: string; level: string }) => [label.name, label.level]),
    [['qa', 'workspace']],
  )
})

test('refuses to promote a label whose name is already used in the workspace', async () => {
  await send('POST', '/workspace/labels', { name: 'both' })
  await send('POST', `/applications/${tenant.applicationId}/labels`, { name: 'Both' })
  const response = await send('POST', `/applications/${tenant.applicationId}/labels/both/promote`)
  assert.equal(response.status, 409)
  assert.equal(response.body.code, 'label.name_taken')
})

test('removes a deleted label from its builds', async () => {
  const own = await service.tenant()
  const { build } = await uploadedBuild(service, own, { labels: ['gone', 'stays'] })
  await send('DELETE', `/applications/${own.applicationId}/labels/gone`, undefined, own.applicationKey)
  const path = `/applications/${own.applicationId}/builds/${build.id}`
  const { body } = await send('GET', path, undefined, own.applicationKey)
  assert.deepEqual(
    body.data.labels.map(({ name }: { name: string }) => name),
    ['stays'],
  )
})

for (const name of ['Ärger', 'ΟΔΟΣ', 'İstanbul', 'STRASSE ẞ', '𐐀'])
  test(`matches the label name "${name}" case-insensitively`, async () => {
    const { applicationId, workspaceKey: key } = tenant
    const base = `/applications/${applicationId}`
    const send = (method: string, path: string, body?: unknown) =>
      service.call(method, `${base}${path}`, { key, body })
    const created = await send('POST', '/labels', { name })
    assert.equal(created.status, 201, created.text)
    const { id } = created.body.data
    assert.equal((await send('POST', '/labels', { name })).status, 409)
    const { rows } = await sql<{ lower: string }>`select lower(${name}) as lower`.execute(service.deps.db)
    for (const spelling of [name, rows[0]!.lower])
      assert.equal((await send('GET', `/labels/${encodeURIComponent(spelling)}`)).body.data?.id, id, spelling)
    const { build } = await uploadedBuild(service, tenant, { labels: [name, rows[0]!.lower] })
    assert.deepEqual(
      build.labels.map((label: { id: string }) => label.id),
      [id],
    )
    for (const list of ['builds', 'releases']) {
      const found = await send('GET', `/${list}?labels=${encodeURIComponent(name)}`)
      assert.equal(found.status, 200, found.text)
      const unknown = await send('GET', `/${list}?labels=${encodeURIComponent(`${name},un${name}`)}`)
      assert.deepEqual([unknown.status, unknown.text.includes(`un${name}`)], [422, true])
    }
    const bulk = (action: string) =>
      send('POST', '/builds/bulk', { build_ids: [build.id], action, labels: [rows[0]!.lower] })
    const countLabels = async () => (await send('GET', `/builds/${build.id}`)).body.data.labels.length
    assert.deepEqual([(await bulk('unlabel')).status, await countLabels()], [200, 0])
    assert.deepEqual([(await bulk('label')).status, await countLabels()], [200, 1])
    const all = (await send('GET', '/labels')).body.data as { name: string }[]
    assert.equal(all.filter((label) => label.name.endsWith(name)).length, 1)
  })
