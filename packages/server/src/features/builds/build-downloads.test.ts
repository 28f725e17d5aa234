import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { put, requested, uploadedBuild, verify } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const at = (buildId: string, rest: string) => `/applications/${tenant.applicationId}/builds/${buildId}${rest}`

const get = (path: string, key = tenant.applicationKey, headers: Record<string, string> = {}) =>
  service.call('GET', path, { key, headers })

test('downloads by keys and by a link, each is listed with who, when and how', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const other = await uploadedBuild(service, tenant)
  const wish = { name: 'CI', scopes: ['builds:read'] }
  const made = await service.call('POST', `/applications/${tenant.applicationId}/api-keys`, {
    key: tenant.workspaceKey,
    body: wish,
  })
  const { id: keyId, key } = made.body.data
  await get(at(build.id, '/download'), key, { 'user-agent': `Fetcher/1 ${'x'.repeat(600)}` })
  const file = await get(at(build.id, '/file'), key)
  const link = await service.call('POST', at(build.id, '/share-links'), {
    key: tenant.applicationKey,
    body: {},
  })
  await service.call('POST', `${link.body.data.url}/downloads`, { key: null, body: {} })
  await get(at(other.build.id, '/download'))

  assert.equal(file.status, 302)
  const { status, body } = await get(at(build.id, '/downloads'))
  assert.equal(status, 200)
  assert.equal(body.pagination.total, 3)
  const [first, second, third] = body.data
  const by = { api_key: { id: keyId, name: 'CI' }, share_link_id: null, way: 'api' }
  assert.partialDeepStrictEqual(first, { ...by, file_id: null, address: '127.0.0.1' })
  assert.match(first.user_agent, /^Fetcher\/1 x{490}$/)
  assert.partialDeepStrictEqual(second, { ...by, file_id: build.primary_file.id })
  const shared = { api_key: null, share_link_id: link.body.data.id, way: 'share-link' }
  assert.partialDeepStrictEqual(third, shared)

  const newest = await get(at(build.id, '/downloads?sort=desc&per_page=1'))
  assert.deepEqual(newest.body.data, [third])
})

test('HEAD of what gives out links, nothing is recorded', async () => {
  const { build } = await uploadedBuild(service, tenant)
  for (const rest of ['/download', '/file']) {
    const answer = await service.call('HEAD', at(build.id, rest), { key: tenant.applicationKey })
    assert.ok([200, 302].includes(answer.status), rest)
  }
  assert.equal((await get(at(build.id, '/downloads'))).body.pagination.total, 0)
})

test('an expansion file, taken by its id; a file of another build, 422', async () => {
  const [primary, expansion] = [Buffer.alloc(1000, 1), Buffer.alloc(1000, 2)]
  const upload = await requested(service, tenant, {
    platform: 'android',
    structure: 'file+expansion',
    primary_file: { filename: 'game.apk', size_bytes: 1000 },
    expansion_files: [{ filename: 'main.1.game.obb', size_bytes: 1000 }],
  })
  await put(upload.primary_file.presigned_data, primary)
  await put(upload.expansion_files[0].presigned_data, expansion)
  const { build } = (await verify(service, tenant, upload.pending_upload_id)).body
  const bytesOf = async (query: string) => {
    const headers = { authorization: `Bearer ${tenant.applicationKey}` }
    const answer = await fetch(`${service.url}/api/v1${at(build.id, '/file')}${query}`, { headers })
    return Buffer.from(await answer.arrayBuffer())
  }
  assert.deepEqual(await bytesOf(''), primary)
  assert.deepEqual(await bytesOf(`?file_id=${build.expansion_files[0].id}`), expansion)
  const other = await uploadedBuild(service, tenant)
  const wrong = await get(at(build.id, `/file?file_id=${other.build.primary_file.id}`))
  assert.equal(wrong.status, 422)
  assert.ok('file_id' in wrong.body.errors)
})

test('the download of a metadata artifact, recorded as one', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const key = tenant.applicationKey
  const wish = { build_id: build.id, filename: 'notes.txt', size_bytes: 5 }
  const upload = await service.call('POST', '/upload/metadata/request', { key, body: wish })
  await put(upload.body.presigned_upload_data, Buffer.from('notes'))
  const pending_upload_id = upload.body.metadata_pending_upload_id
  const verified = await service.call('POST', '/upload/metadata/verify', { key, body: { pending_upload_id } })
  const id = verified.body.metadata_artifact_id
  assert.equal((await get(at(build.id, `/metadata/${id}/download`))).status, 200)
  const [row] = (await get(at(build.id, '/downloads'))).body.data
  assert.deepEqual([row.way, row.metadata_artifact_id, row.file_id], ['api', id, null])
})

test('a key that is deleted, its downloads stay', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const key = await service.key(tenant.workspaceId, tenant.applicationId, ['builds:read'])
  await get(at(build.id, '/download'), key)
  const [{ api_key }] = (await get(at(build.id, '/downloads'))).body.data
  await service.deps.db.deleteFrom('api_keys').where('id', '=', api_key.id).execute()
  const [row] = (await get(at(build.id, '/downloads'))).body.data
  assert.deepEqual([row.way, row.api_key], ['api', null])
})
