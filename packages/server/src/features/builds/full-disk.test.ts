import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { groupCalls, groupLink } from '../../../test/distribution-groups.ts'
import { startOwnService, type Service, type Tenant } from '../../../test/harness.ts'
import { put, uploadedBuild } from '../../../test/uploading.ts'

// PostgreSQL reports a full disk with error code 53100. These triggers raise that error when a download is recorded.
const fillDisk = sql`
  create function fail_as_full_disk() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create trigger full_disk before insert on downloads for each row execute function fail_as_full_disk();
  create trigger full_disk before update on share_links for each row execute function fail_as_full_disk()`

let service: Service
let tenant: Tenant

before(async () => {
  service = await startOwnService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { key: tenant.workspaceKey, body })

const sendPublic = (method: string, url: string, body?: unknown) =>
  service.call(method, url, { key: null, body })

test('serves downloads while the disk is full, except through share links with a download limit', async () => {
  const { build, bytes } = await uploadedBuild(service, tenant)
  const path = `/applications/${tenant.applicationId}/builds/${build.id}`
  const upload = await send('POST', '/upload/metadata/request', {
    build_id: build.id,
    filename: 'notes.txt',
    size_bytes: 5,
  })
  await put(upload.body.presigned_upload_data, Buffer.from('notes'))
  const artifact = await send('POST', '/upload/metadata/verify', {
    pending_upload_id: upload.body.metadata_pending_upload_id,
  })
  const create = async (fields: object) => (await send('POST', `${path}/share-links`, fields)).body.data.url
  const [unlimited, limited] = [await create({}), await create({ max_downloads: 5 })]
  const groups = groupCalls(service, tenant)
  const group = await groups.group(['visitor@example.com'])
  await groups.share(group, await groups.release([build.id]))
  const personal = await groupLink(service, tenant, 'visitor@example.com')
  await fillDisk.execute(service.deps.db)

  const urls = [
    (await send('GET', `${path}/download`)).body.primary_file.temp_url,
    (await send('GET', `${path}/file`)).body.location,
    (await sendPublic('GET', `${unlimited}/download`)).body.location,
    (await sendPublic('POST', `${unlimited}/downloads`, {})).body.primary_file.temp_url,
    (await sendPublic('GET', `${personal}/download`)).body.location,
    (await sendPublic('POST', `${personal}/downloads`, {})).body.primary_file.temp_url,
  ]
  for (const url of urls)
    assert.deepEqual(Buffer.from(await (await fetch(url)).arrayBuffer()), Buffer.from(bytes))
  const artifactPath = `${path}/metadata/${artifact.body.metadata_artifact_id}/download`
  assert.equal((await send('GET', artifactPath)).status, 200)
  for (const response of [
    await sendPublic('GET', `${limited}/download`),
    await sendPublic('POST', `${limited}/downloads`, {}),
  ]) {
    assert.deepEqual([response.status, response.body.code], [507, 'database.out_of_space'])
    assert.equal(response.headers.get('location'), null)
  }
  const links = (await send('GET', `${path}/share-links`)).body.data
  assert.deepEqual(
    links.map(({ download_count }: { download_count: number }) => download_count),
    [0, 0],
  )
})
