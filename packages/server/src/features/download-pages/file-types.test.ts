import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { storesInS3 } from '../../../test/acceptance/test-storage.ts'
import { activeContent, activeEndings } from '../../../test/active-files.ts'
import { groupCalls, groupLink } from '../../../test/distribution-groups.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { createBrowser } from '../../../test/page-browser.ts'
import { put, uploadedBuild } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = async (method: string, path: string, body?: unknown) =>
  (await service.call(method, path, { key: tenant.applicationKey, body })).body

/** Yields the URLs at which a file can be downloaded through the API, a share link and its page. */
async function* linksTo(buildId: string): AsyncGenerator<string | undefined> {
  const path = `/applications/${tenant.applicationId}/builds/${buildId}`
  yield (await send('GET', `${path}/download`)).primary_file.temp_url
  yield (await send('GET', `${path}/file`)).location
  const { url } = (await send('POST', `${path}/share-links`, {})).data
  yield (await service.call('POST', `${url}/downloads`, { key: null, body: {} })).body.primary_file.temp_url
  yield (await service.call('GET', `${url}/download`, { key: null })).body.location
  const browser = createBrowser()
  const page = await browser.open(url)
  yield (await browser.submit(page, page.forms[0]?.label ?? '')).location
}

/** Uploads a metadata artifact and returns the URL at which it can be downloaded. */
async function metadataLink(buildId: string, filename: string): Promise<string> {
  const input = { build_id: buildId, filename, size_bytes: activeContent.length }
  const upload = await send('POST', '/upload/metadata/request', input)
  await put(upload.presigned_upload_data, activeContent)
  const { metadata_artifact_id: id } = await send('POST', '/upload/metadata/verify', {
    pending_upload_id: upload.metadata_pending_upload_id,
  })
  const path = `/applications/${tenant.applicationId}/builds/${buildId}/metadata/${id}/download`
  const response = await send('GET', path)
  return response.temp_url ?? response.metadata_artifact?.temp_url
}

async function upload(filename: string): Promise<{ id: string; filename: string }> {
  const fields = { platform: 'generic', primary_file: { filename } }
  const { build } = await uploadedBuild(service, tenant, fields, activeContent)
  return { id: build.id as string, filename }
}

/** Asserts that browsers save the file at the URL and neither run nor render it. */
async function assertAttachment(url: string, filename: string): Promise<void> {
  const { status, headers, body } = await fetch(url)
  await body?.cancel()
  assert.equal(status, 200)
  assert.equal(headers.get('content-disposition'), `attachment; filename="${filename}"`)
  if (!storesInS3) {
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('content-security-policy'), 'sandbox')
  }
  assert.doesNotMatch(headers.get('content-type') ?? '', /html|xml|script|svg|pdf|css|wasm|flash|manifest$/)
}

for (const ending of activeEndings)
  test(`sends .${ending} files as attachments that browsers neither run nor render`, async () => {
    const { id, filename } = await upload(`file.${ending}`)
    const urls = [await metadataLink(id, filename)]
    for await (const url of linksTo(id)) urls.push(url ?? assert.fail('no URL'))
    for (const url of urls) await assertAttachment(url, filename)
  })

describe('a release with a file of every type', () => {
  let builds: { id: string; filename: string }[]
  let groupUrl: string
  let shareUrl: string

  before(async () => {
    builds = []
    for (const ending of activeEndings) builds.push(await upload(`released.${ending}`))
    const { group, release, share } = groupCalls(service, tenant)
    const releaseId = await release(builds.map(({ id }) => id))
    await share(await group(['types@example.com']), releaseId)
    groupUrl = await groupLink(service, tenant, 'types@example.com')
    const path = `/applications/${tenant.applicationId}/releases/${releaseId}/share-links`
    shareUrl = (await service.call('POST', path, { key: tenant.workspaceKey, body: {} })).body.data.url
  })

  test('sends attachments through bulk download links', async () => {
    const path = `/applications/${tenant.applicationId}/builds/downloads`
    const { data } = await send('POST', path, { build_ids: builds.map(({ id }) => id) })
    assert.equal(data.length, builds.length)
    for (const [index, { filename }] of builds.entries())
      await assertAttachment(data[index].primary_file.temp_url, filename)
  })

  for (const [name, urlOf] of [
    ['group links', () => groupUrl],
    ['share links of releases', () => shareUrl],
  ] as const)
    test(`sends attachments through ${name} and their pages`, async () => {
      const url = urlOf()
      const browser = createBrowser()
      const page = await browser.open(url)
      for (const { id, filename } of builds) {
        const body = { build_id: id }
        const created = await service.call('POST', `${url}/downloads`, { key: null, body })
        const direct = await service.call('GET', `${url}/download?build_id=${id}`, { key: null })
        const clicked = await browser.submit(page, `Download ${filename}`)
        const opened = await browser.open(`${url}/download?build_id=${id}`)
        for (const target of [
          created.body.primary_file.temp_url,
          direct.body.location,
          clicked.location,
          opened.location,
        ])
          await assertAttachment(target ?? assert.fail('no URL'), filename)
      }
    })
})
