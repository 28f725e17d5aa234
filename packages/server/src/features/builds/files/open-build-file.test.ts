import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { createBrowser } from '../../../../test/page-browser.ts'
import { insertMember } from '../../../../test/people.ts'
import { uploadedBuild } from '../../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

test('downloads the file if a signed-in user opens the download URL of a build', async () => {
  const { build, bytes } = await uploadedBuild(service, tenant)
  const id = await insertMember(service, tenant, { applicationRole: 'readonly' })
  const cookie = await service.signIn(id)
  for (const url of [build.download_url, build.download_url.replace(/download$/, 'file')]) {
    const { status, location } = await createBrowser().open(url, { cookie })
    assert.equal(status, 303)
    const file = await fetch(location ?? assert.fail('no redirect'))
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
  }
  const downloads = await service.deps.db
    .selectFrom('downloads')
    .selectAll()
    .where('build_id', '=', build.id)
    .execute()
  assert.deepEqual(
    downloads.map(({ channel, user_id, file_id }) => [channel, user_id, file_id]),
    Array.from({ length: 2 }, () => ['console', id, build.primary_file.id]),
  )
})

test('sends people who are not signed in to the sign-in page and then to the page of the build', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const { status, location = '' } = await createBrowser().open(build.download_url)
  assert.equal(status, 303)
  const { pathname, searchParams } = new URL(location)
  assert.equal(pathname, '/sign-in')
  assert.equal(`${new URL(service.url).origin}${searchParams.get('next')}`, build.modal_url)
})

test('shows an error page if the user cannot access the build', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const cookie = await service.signIn(await insertMember(service, tenant))
  const { status, text } = await createBrowser().open(build.download_url, { cookie })
  assert.equal(status, 404)
  assert.match(text, /<h1>Page not found<\/h1>/)
})

test('returns JSON to API clients whatever they accept', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const headers = { accept: 'text/html' }
  const { status, body } = await service.call('GET', build.download_url, {
    key: tenant.applicationKey,
    headers,
  })
  assert.equal(status, 200)
  assert.equal(body.primary_file.filename, 'app.7z')
})
