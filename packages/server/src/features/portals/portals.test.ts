import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { shortId } from '../../lib/ids.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path = '', body?: unknown, caller = tenant) =>
  service.call(method, `/portals${path}`, { key: caller.workspaceKey, body })

async function createPortal(fields: object = {}): Promise<string> {
  const { status, body, text } = await send('POST', '', { name: 'Downloads', ...fields })
  assert.equal(status, 201, text)
  return body.data.id
}

async function insertRelease(title: string, { workspaceId, applicationId } = tenant): Promise<string> {
  const id = shortId(10)
  const version = { version_major: 1, version_minor: 2, version_patch: 3, version_sort: 'x' }
  await service.deps.db
    .insertInto('releases')
    .values({ id, workspace_id: workspaceId, application_id: applicationId, title, ...version })
    .execute()
  return id
}

async function streamIds({ applicationId, workspaceKey: key } = tenant): Promise<string[]> {
  const { body } = await service.call('GET', `/applications/${applicationId}/streams`, { key })
  return body.data.map(({ id }: { id: string }) => id)
}

test('creates a private, empty portal by default and records an audit entry', async () => {
  const { body } = await send('POST', '', { name: ' Downloads ' })
  const { id, name, type, portal_url, applications, custom_domain_active } = body.data
  assert.deepEqual([name, type, applications, custom_domain_active], ['Downloads', 'private', [], false])
  assert.equal(portal_url, `${service.url}/p/${id}`)
  assert.deepEqual((await send('GET', `/${id}`)).body.data, body.data)
  assert.equal((await auditEntry(service, id)).action, 'portal.created')
  const other = await service.tenant()
  assert.equal((await send('GET', `/${id}`, undefined, other)).status, 404)
  assert.equal((await send('GET', '', undefined, other)).body.pagination.total, 0)
})

test('accepts only valid subdomains that are unique in the workspace, even under concurrent requests', async () => {
  const requests = Array.from({ length: 10 }, () => send('POST', '', { name: 'x', subdomain: 'taken' }))
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [201, ...Array<number>(9).fill(409)],
  )
  const id = await createPortal()
  assert.equal((await send('PATCH', `/${id}`, { subdomain: 'taken' })).body.code, 'portal.subdomain_taken')
  const other = await service.tenant()
  const elsewhere = await send('POST', '', { name: 'x', subdomain: 'taken' }, other)
  assert.deepEqual([elsewhere.status, elsewhere.body.data?.subdomain], [201, 'taken'])
  for (const subdomain of ['Upper', '-a', 'a.b', ''])
    assert.equal((await send('PATCH', `/${id}`, { subdomain })).status, 422, subdomain)
})

test('updates only the portal fields included in the request', async () => {
  const id = await createPortal({ description: 'words', type: 'public' })
  const { body } = await send('PATCH', `/${id}`, { name: 'Other' })
  const { name, description, type } = body.data
  assert.deepEqual([name, description, type], ['Other', 'words', 'public'])
  const entry = await auditEntry(service, id)
  assert.equal((entry.before as { name: string }).name, 'Downloads')
})

test('sets, replaces and removes the streams and releases of an application in a portal', async () => {
  const id = await createPortal()
  const path = `/${id}/applications/${tenant.applicationId}`
  const [first, second] = await streamIds()
  const selective = { streams_mode: 'selective', stream_ids: [first, second], releases_mode: 'none' }
  const put = await send('PUT', path, selective)
  assert.equal(put.status, 200)
  const [application] = put.body.data.applications
  assert.deepEqual(new Set(application.stream_ids), new Set([first, second]))
  assert.equal(application.releases_mode, 'none')
  await send('PUT', path, { ...selective, stream_ids: [second] })
  assert.deepEqual((await send('GET', `/${id}`)).body.data.applications[0].stream_ids, [second])
  await send('PUT', path, { streams_mode: 'all', releases_mode: 'all' })
  assert.deepEqual((await send('GET', `/${id}`)).body.data.applications[0].stream_ids, [])
  assert.equal((await auditEntry(service, id)).action, 'portal.application_changed')
  assert.equal((await send('DELETE', path)).status, 200)
  assert.equal((await send('DELETE', path)).status, 404)
})

test('rejects stream IDs from another application and stream IDs sent with `streams_mode: all`', async () => {
  const id = await createPortal()
  const path = `/${id}/applications/${tenant.applicationId}`
  const stream_ids = await streamIds()
  const allStreams = { streams_mode: 'all', stream_ids, releases_mode: 'none' }
  assert.equal((await send('PUT', path, allStreams)).status, 422)
  const foreign = await streamIds(await service.tenant())
  const body = { streams_mode: 'selective', stream_ids: foreign, releases_mode: 'none' }
  assert.equal((await send('PUT', path, body)).status, 404)
  assert.deepEqual((await send('GET', `/${id}`)).body.data.applications, [])
})

test('shows only published releases unless releases_mode is all', async () => {
  const own = await service.tenant()
  const { body } = await send('POST', '', { name: 'x' }, own)
  const { id } = body.data
  const application = `/${id}/applications/${own.applicationId}`
  const [one, two] = [await insertRelease('One', own), await insertRelease('Two', own)]
  const publish = (release_id: string) => send('POST', `/${id}/releases`, { release_id }, own)
  const shown = async () =>
    (await send('GET', `/${id}/releases`, undefined, own)).body.data.map(
      ({ title }: { title: string }) => title,
    )
  assert.equal((await publish(one)).body.code, 'portal.not_selective')
  await send('PUT', application, { streams_mode: 'none', releases_mode: 'selective' }, own)
  assert.deepEqual(await shown(), [])
  assert.equal((await publish(two)).status, 201)
  assert.equal((await publish(two)).body.code, 'portal.release_published')
  assert.deepEqual(await shown(), ['Two'])
  assert.equal((await publish(await insertRelease('Foreign'))).status, 404)
  assert.equal((await send('DELETE', `/${id}/releases/${two}`, undefined, own)).status, 200)
  assert.equal((await send('DELETE', `/${id}/releases/${two}`, undefined, own)).status, 404)
  await send('PUT', application, { streams_mode: 'none', releases_mode: 'all' }, own)
  assert.deepEqual(await shown(), ['One', 'Two'])
})

test('deletes a portal that shows an application', async () => {
  const id = await createPortal()
  const application = `/${id}/applications/${tenant.applicationId}`
  await send('PUT', application, { streams_mode: 'all', releases_mode: 'all' })
  assert.equal((await send('DELETE', `/${id}`)).status, 200)
  assert.equal((await send('GET', `/${id}`)).status, 404)
  assert.equal((await auditEntry(service, id)).action, 'portal.deleted')
})
