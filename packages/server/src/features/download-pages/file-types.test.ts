import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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

const endings =
  `html htm xhtml xht shtml mht mhtml svg svgz xml xsl xslt rss atom js mjs cjs ts jsx json jsonld map css pdf
  swf wasm hta htc vbs bat exe jar jnlp xpi crx webmanifest manifest appcache ics vcf url webloc txt md csv eml php zip
  png gif`.split(/\s+/)

const bytes = Buffer.from(
  '<!doctype html><html xmlns="http://www.w3.org/1999/xhtml"><script>alert(document.domain)</script></html>',
)
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
  const input = { build_id: buildId, filename, size_bytes: bytes.length }
  const upload = await send('POST', '/upload/metadata/request', input)
  await put(upload.presigned_upload_data, bytes)
  const { metadata_artifact_id: id } = await send('POST', '/upload/metadata/verify', {
    pending_upload_id: upload.metadata_pending_upload_id,
  })
  const path = `/applications/${tenant.applicationId}/builds/${buildId}/metadata/${id}/download`
  const response = await send('GET', path)
  return response.temp_url ?? response.metadata_artifact?.temp_url
}

for (const ending of endings)
  test(`sends .${ending} files as attachments that browsers neither run nor render`, async () => {
    const filename = `file.${ending}`
    const { build } = await uploadedBuild(
      service,
      tenant,
      { platform: 'generic', primary_file: { filename } },
      bytes,
    )
    const urls = [await metadataLink(build.id, filename)]
    for await (const url of linksTo(build.id)) urls.push(url ?? assert.fail('no URL'))
    for (const url of urls) {
      const { status, headers } = await fetch(url, { method: 'HEAD' })
      assert.equal(status, 200)
      assert.equal(headers.get('content-disposition'), `attachment; filename="${filename}"`)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('content-security-policy'), 'sandbox')
      assert.doesNotMatch(
        headers.get('content-type') ?? '',
        /html|xml|script|svg|pdf|css|wasm|flash|manifest$/,
      )
    }
  })
