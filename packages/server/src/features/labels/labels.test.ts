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
  ['application', () => `/applications/${tenant.applicationId}/labels`],
  ['workspace', () => '/workspace/labels'],
] as const

const send = (method: string, path: string, body?: unknown, key = tenant.workspaceKey) =>
  service.call(method, path, { key, body })

for (const [level, home] of levels) {
  test(`a label of the ${level}, made, read by id and by name, changed, deleted`, async () => {
    const made = await send('POST', home(), { name: ' Beta ', color: '#AABBCC' })
    assert.equal(made.status, 201)
    const { id } = made.body.data
    assert.deepEqual(
      [made.body.data.name, made.body.data.color, made.body.data.level],
      ['Beta', '#aabbcc', level],
    )
    assert.equal(made.body.data.workspace_id, tenant.workspaceId)
    assert.equal(made.body.data.application_id, level === 'application' ? tenant.applicationId : null)
    assert.equal((await auditEntry(service, id)).action, 'label.created')
    for (const identifier of [id, 'Beta', 'bETA'])
      assert.deepEqual((await send('GET', `${home()}/${identifier}`)).body.data, made.body.data)

    const changed = await send('PATCH', `${home()}/beta`, { description: 'for the brave' })
    assert.equal(changed.status, 200)
    assert.deepEqual([changed.body.data.name, changed.body.data.description], ['Beta', 'for the brave'])
    const entry = await auditEntry(service, id)
    assert.deepEqual(entry.before, { name: 'Beta', description: null, color: '#aabbcc' })
    assert.deepEqual(entry.after, { name: 'Beta', description: 'for the brave', color: '#aabbcc' })
    assert.equal((await send('PATCH', `${home()}/${id}`, { description: null })).body.data.description, null)

    assert.equal((await send('DELETE', `${home()}/${id}`)).status, 200)
    assert.equal((await send('GET', `${home()}/${id}`)).status, 404)
    assert.equal((await auditEntry(service, id)).action, 'label.deleted')
  })

  test(`a label of the ${level} with a name that is there whatever its case, 409`, async () => {
    await send('POST', home(), { name: 'taken' })
    const other = await send('POST', home(), { name: 'other' })
    assert.equal((await send('POST', home(), { name: 'TAKEN' })).body.code, 'label.name_taken')
    const changed = await send('PATCH', `${home()}/${other.body.data.id}`, { name: 'Taken' })
    assert.equal(changed.status, 409)
  })

  for (const [body, field] of [
    [{}, 'name'],
    [{ name: 'x'.repeat(51) }, 'name'],
    [{ name: 'x', color: 'red' }, 'color'],
    [{ name: 'x', description: 1 }, 'description'],
  ] as const) {
    test(`a label of the ${level} from ${JSON.stringify(body).slice(0, 40)}, 422 names ${field}`, async () => {
      const answer = await send('POST', home(), body)
      assert.equal(answer.status, 422)
      assert.ok(field in answer.body.errors)
    })
  }
}

test('contract 4.1: GET /workspace/labels, only those of the workspace; of an application, both levels', async () => {
  const of = await service.tenant()
  await send('POST', '/workspace/labels', { name: 'shared' }, of.workspaceKey)
  await send('POST', `/applications/${of.applicationId}/labels`, { name: 'own' }, of.workspaceKey)
  const names = async (path: string) =>
    (await send('GET', path, undefined, of.workspaceKey)).body.data.map(
      (label: { name: string }) => label.name,
    )
  assert.deepEqual(await names('/workspace/labels'), ['shared'])
  assert.deepEqual(await names(`/applications/${of.applicationId}/labels`), ['own', 'shared'])
})

test('a label of the workspace changed by way of an application, 409 says where', async () => {
  await send('POST', '/workspace/labels', { name: 'common' })
  const path = `/applications/${tenant.applicationId}/labels/common`
  for (const method of ['PATCH', 'DELETE']) {
    const answer = await send(method, path, method === 'PATCH' ? { name: 'x' } : undefined)
    assert.equal(answer.status, 409)
    assert.equal(answer.body.code, 'label.of_workspace')
  }
  assert.equal((await send('POST', `${path}/promote`)).status, 409)
})

test('promoting a label, its build keeps it and it is one of the workspace', async () => {
  const of = await service.tenant()
  const { build } = await uploadedBuild(service, of, { labels: ['qa'] })
  const path = `/applications/${of.applicationId}/labels/qa/promote`
  const answer = await send('POST', path, undefined, of.workspaceKey)
  assert.equal(answer.status, 200)
  assert.deepEqual([answer.body.data.level, answer.body.data.application_id], ['workspace', null])
  const entry = await auditEntry(service, build.labels[0].id)
  assert.equal(entry.action, 'label.promoted')
  const read = await send(
    'GET',
    `/applications/${of.applicationId}/builds/${build.id}`,
    undefined,
    of.workspaceKey,
  )
  assert.deepEqual(
    read.body.data.labels.map((label: { name: string; level: string }) => [label.name, label.level]),
    [['qa', 'workspace']],
  )
})

test('promoting a label whose name the workspace has, 409', async () => {
  await send('POST', '/workspace/labels', { name: 'both' })
  await send('POST', `/applications/${tenant.applicationId}/labels`, { name: 'Both' })
  const answer = await send('POST', `/applications/${tenant.applicationId}/labels/both/promote`)
  assert.equal(answer.status, 409)
  assert.equal(answer.body.code, 'label.name_taken')
})

test('a deleted label, its builds stay without it', async () => {
  const of = await service.tenant()
  const { build } = await uploadedBuild(service, of, { labels: ['gone', 'stays'] })
  await send('DELETE', `/applications/${of.applicationId}/labels/gone`, undefined, of.applicationKey)
  const path = `/applications/${of.applicationId}/builds/${build.id}`
  const { body } = await send('GET', path, undefined, of.applicationKey)
  assert.deepEqual(
    body.data.labels.map(({ name }: { name: string }) => name),
    ['stays'],
  )
})

for (const name of ['Ärger', 'ΟΔΟΣ', 'İstanbul', 'STRASSE ẞ', '𐐀'])
  test(`the label ${name}, found by its name everywhere, whatever its case`, async () => {
    const { applicationId, workspaceKey: key } = tenant
    const at = `/applications/${applicationId}`
    const ask = (method: string, path: string, body?: unknown) =>
      service.call(method, `${at}${path}`, { key, body })
    const made = await ask('POST', '/labels', { name })
    assert.equal(made.status, 201, made.text)
    const { id } = made.body.data
    assert.equal((await ask('POST', '/labels', { name })).status, 409)
    const { rows } = await sql<{ small: string }>`select lower(${name}) as small`.execute(service.deps.db)
    for (const spelt of [name, rows[0]!.small])
      assert.equal((await ask('GET', `/labels/${encodeURIComponent(spelt)}`)).body.data?.id, id, spelt)
    const { build } = await uploadedBuild(service, tenant, { labels: [name, rows[0]!.small] })
    assert.deepEqual(
      build.labels.map((label: { id: string }) => label.id),
      [id],
    )
    for (const list of ['builds', 'releases']) {
      const found = await ask('GET', `/${list}?labels=${encodeURIComponent(name)}`)
      assert.equal(found.status, 200, found.text)
      const unknown = await ask('GET', `/${list}?labels=${encodeURIComponent(`${name},un${name}`)}`)
      assert.deepEqual([unknown.status, unknown.text.includes(`un${name}`)], [422, true])
    }
    const bulk = (action: string) =>
      ask('POST', '/builds/bulk', { build_ids: [build.id], action, labels: [rows[0]!.small] })
    const labelled = async () => (await ask('GET', `/builds/${build.id}`)).body.data.labels.length
    assert.deepEqual([(await bulk('unlabel')).status, await labelled()], [200, 0])
    assert.deepEqual([(await bulk('label')).status, await labelled()], [200, 1])
    const all = (await ask('GET', '/labels')).body.data as { name: string }[]
    assert.equal(all.filter((label) => label.name.endsWith(name)).length, 1)
  })
