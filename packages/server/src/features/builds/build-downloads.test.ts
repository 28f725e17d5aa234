import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { put, requestUpload, uploadedBuild, verify } from '../../../test/uploading.ts'

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

test('lists the caller, IP address and channel of downloads through API keys and share links', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const other = await uploadedBuild(service, tenant)
  const input = { name: 'CI', scopes: ['builds:read'] }
  const created = await service.call('POST', `/applications/${tenant.applicationId}/api-keys`, {
    key: tenant.workspaceKey,
    body: input,
  })
  const { id: keyId, key } = created.body.data
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
  const by = { api_key: { id: keyId, name: 'CI' }, share_link_id: null, channel: 'api' }
  assert.partialDeepStrictEqual(first, { ...by, file_id: null, address: '127.0.0.1' })
  assert.match(first.user_agent, /^Fetcher\/1 x{490}$/)
  assert.partialDeepStrictEqual(second, { ...by, file_id: build.primary_file.id })
  const shared = { api_key: null, share_link_id: link.body.data.id, channel: 'share-link' }
  assert.partialDeepStrictEqual(third, shared)

  const newest = await get(at(build.id, '/downloads?sort=desc&per_page=1'))
  assert.deepEqual(newest.body.data, [third])
})

test('does not record HEAD requests as downloads', async () => {
  const { build } = await uploadedBuild(service, tenant)
  for (const rest of ['/download', '/file']) {
    const response = await service.call('HEAD', at(build.id, rest), { key: tenant.applicationKey })
    assert.ok([200, 302].includes(response.status), rest)
  }
  assert.equal((await get(at(build.id, '/downloads'))).body.pagination.total, 0)
})

test('serves the primary file and expansion files of a build but rejects files of other builds', async () => {
  const [primary, expansion] = [Buffer.alloc(1000, 1), Buffer.alloc(1000, 2)]
  const upload = await requestUpload(service, tenant, {
    platform: 'android',
    structure: 'file+expansion',
    primary_file: { filename: 'game.apk', size_bytes: 1000 },
    expansion_files: [{ filename: 'main.1.game.obb', size_bytes: 1000 }],
  })
  await put(upload.primary_file.presigned_data, primary)
  await put(upload.expansion_files[0].presigned_data, expansion)
  const { build } = (await verify(service, tenant, upload.pending_upload_id)).body
  const headers = { authorization: `Bearer ${tenant.applicationKey}` }
  const bytesOf = async (url: string, options = {}) =>
    Buffer.from(await (await fetch(url, options)).arrayBuffer())
  const file = `${service.url}/api/v1${at(build.id, '/file')}`
  assert.deepEqual(await bytesOf(file, { headers }), primary)
  assert.deepEqual(await bytesOf(`${file}?file_id=${build.expansion_files[0].id}`, { headers }), expansion)
  const { body: links } = await get(at(build.id, '/download'))
  assert.equal(links.expansion_files.length, 1)
  assert.equal(links.expansion_files[0].filename, 'main.1.game.obb')
  assert.deepEqual(await bytesOf(links.expansion_files[0].temp_url), expansion)
  assert.deepEqual(await bytesOf(links.primary_file.temp_url), primary)
  const other = await uploadedBuild(service, tenant)
  const foreign = await get(at(build.id, `/file?file_id=${other.build.primary_file.id}`))
  assert.equal(foreign.status, 422)
  assert.ok('file_id' in foreign.body.errors)
})

test('records the download of a metadata artifact, but not its preview', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const key = tenant.applicationKey
  const input = { build_id: build.id, filename: 'notes.txt', size_bytes: 5 }
  const upload = await service.call('POST', '/upload/metadata/request', { key, body: input })
  await put(upload.body.presigned_upload_data, Buffer.from('notes'))
  const pending_upload_id = upload.body.metadata_pending_upload_id
  const verified = await service.call('POST', '/upload/metadata/verify', { key, body: { pending_upload_id } })
  const id = verified.body.metadata_artifact_id
  const preview = await get(at(build.id, `/metadata/${id}/download?preview=true`))
  assert.equal(await (await fetch(preview.body.temp_url)).text(), 'notes')
  assert.deepEqual((await get(at(build.id, '/downloads'))).body.data, [])
  assert.equal((await get(at(build.id, `/metadata/${id}/download`))).status, 200)
  const [row] = (await get(at(build.id, '/downloads'))).body.data
  assert.deepEqual([row.channel, row.metadata_artifact_id, row.file_id], ['api', id, null])
})

test('keeps a download record after the API key that was used for the download is deleted', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const key = await service.key(tenant.workspaceId, tenant.applicationId, ['builds:read'])
  await get(at(build.id, '/download'), key)
  const [{ api_key }] = (await get(at(build.id, '/downloads'))).body.data
  await service.deps.db.deleteFrom('api_keys').where('id', '=', api_key.id).execute()
  const [row] = (await get(at(build.id, '/downloads'))).body.data
  assert.deepEqual([row.channel, row.api_key], ['api', null])
})
