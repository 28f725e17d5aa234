import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { storesInS3 } from '../../../test/acceptance/test-storage.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { createBrowser, textOf, userAgents } from '../../../test/page-browser.ts'
import { fileOf, shareCalls } from '../../../test/share-links.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof shareCalls>

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  calls = shareCalls(service, tenant)
})
after(() => service.close())

test('shows a shared build to browsers and JSON to API clients', async () => {
  const { url } = await calls.createLink({}, { custom_build_number: '77', notes: '- Faster *start*' })
  const page = await createBrowser().open(url)
  assert.equal(page.status, 200)
  const text = textOf(page)
  for (const expected of [`App ${tenant.workspaceId}`, '1.2.3 (77)', 'Download for Linux', 'app.7z'])
    assert.ok(text.includes(expected), `${expected} in ${text}`)
  assert.match(page.text, /<li>Faster <em>start<\/em><\/li>/)
  assert.match(text, /sha256sum -c/)
  for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.9']) {
    const { status, headers, body } = await service.call('GET', url, { key: null, headers: { accept } })
    assert.deepEqual([status, body.data.builds.length], [200, 1])
    const [file] = body.data.builds[0].files
    assert.equal(file.filename, 'app.7z')
    assert.ok(page.text.includes(file.checksum_sha256) && file.size_bytes > 0)
    assert.match(headers.get('vary') ?? '', /accept/)
  }
})

test('sends pages that run no scripts, load nothing from other sites and are not cached', async () => {
  const { url } = await calls.createLink()
  const { headers, text } = await createBrowser().open(url)
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'; form-action 'self'/)
  assert.doesNotMatch(policy, /unsafe|script-src/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['x-robots-tag'], 'noindex')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers.vary), /accept/)
  assert.doesNotMatch(text, /<script| style="| on\w+="|(?:src|href|action)="(?:https?:)?\/\//)
  assert.ok(Buffer.byteLength(text) < 50_000)
})

test('counts a download once per browser and none for opening the page, HEAD and prefetching', async () => {
  const { url, bytes, count } = await calls.createLink({ max_downloads: 2 })
  const browser = createBrowser()
  const page = await browser.open(url)
  assert.match(textOf(page), /Downloads left 2/)
  for (const path of [url, `${url}/download`]) {
    await browser.head(path)
    await browser.open(path, { 'sec-purpose': 'prefetch' })
  }
  await service.call('GET', `${url}/download`, { key: null, headers: { purpose: 'prefetch' } })
  assert.equal(await count(), 0)
  for (const attempt of ['first', 'repeated']) {
    const download = await browser.submit(page, 'Download for Linux')
    assert.equal(download.status, 303, attempt)
    assert.deepEqual(await fileOf(download.location), Buffer.from(bytes))
    assert.equal(await count(), 1)
  }
  await createBrowser().submit(page, 'Download for Linux')
  assert.equal(await count(), 2)
})

test('lets a browser repeat its download after the limit is reached and refuses others', async () => {
  const { url, count } = await calls.createLink({ max_downloads: 1 })
  const browser = createBrowser()
  const page = await browser.open(url)
  assert.equal((await browser.submit(page, 'Download for Linux')).status, 303)
  const again = await browser.open(url)
  assert.match(textOf(again), /Downloads left 0/)
  assert.equal((await browser.submit(again, 'Download for Linux')).status, 303)
  const other = await createBrowser().open(url)
  assert.equal(other.status, 410)
  assert.match(textOf(other), /No downloads left/)
  assert.equal((await createBrowser().submit(page, 'Download for Linux')).status, 410)
  assert.equal(await count(), 1)
})

test('redirects browsers that open the download URL to the file', async () => {
  const { url, bytes, count } = await calls.createLink()
  const { status, location } = await createBrowser().open(`${url}/download`)
  assert.equal(status, 303)
  assert.deepEqual(await fileOf(location), Buffer.from(bytes))
  assert.equal(await count(), 1)
})

test('asks for the password and keeps the grant in a cookie of the link', async () => {
  const { url, bytes } = await calls.createLink({ password: 'open sesame' }, { notes: 'Secret notes' })
  const browser = createBrowser()
  const locked = await browser.open(url)
  assert.equal(locked.status, 200)
  assert.doesNotMatch(locked.text, /Secret|1\.2\.3|app\.tar\.gz/)
  assert.equal((await browser.open(`${url}/download`)).location, url)
  const empty = await browser.submit(locked, 'Continue')
  assert.deepEqual([empty.status, empty.setCookies], [422, []])
  const wrong = await browser.submit(locked, 'Continue', { password: 'Open sesame' })
  assert.deepEqual([wrong.status, wrong.setCookies], [403, []])
  assert.match(textOf(wrong), /The password is incorrect/)
  const unlocked = await browser.submit(wrong, 'Continue', { password: 'open sesame' })
  assert.deepEqual([unlocked.status, unlocked.location], [303, url])
  assert.match(
    unlocked.setCookies[0] ?? '',
    /^quayside_grant=[\w.-]+; Path=\/api\/v1\/public\/share-links\/[^;]+; Max-Age=900; HttpOnly; SameSite=Lax$/,
  )
  const page = await browser.open(url)
  assert.match(textOf(page), /Secret notes/)
  const { location } = await browser.submit(page, 'Download for Linux')
  assert.deepEqual(await fileOf(location), Buffer.from(bytes))
  assert.equal((await createBrowser().submit(page, 'Download for Linux')).location, url)
})

test('limits password guesses on the page as in the API', async () => {
  const { url } = await calls.createLink({ password: 'right' })
  const browser = createBrowser()
  const page = await browser.open(url)
  for (const status of [403, 403, 403, 403, 403, 429])
    assert.equal((await browser.submit(page, 'Continue', { password: 'wrong' })).status, status)
  const refused = await browser.submit(page, 'Continue', { password: 'right' })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.match(textOf(refused), /Too many incorrect passwords\. Try again in 15 minutes\./)
  const grant = await service.call('POST', `${url}/grants`, { key: null, body: { password: 'right' } })
  assert.equal(grant.status, 429)
})

test('offers the build for the device of the visitor first and lists the others', async () => {
  const android = await uploadedBuild(service, tenant, {
    platform: 'android',
    primary_file: { filename: 'aurora.apk', size_bytes: 1024 },
  })
  const windows = await uploadedBuild(service, tenant, {
    platform: 'windows',
    primary_file: { filename: 'aurora.exe', size_bytes: 2048 },
  })
  const { url } = await calls.createReleaseLink([android.build, windows.build], { notes: '## New\n\nThings' })
  const labels = async (device: keyof typeof userAgents) =>
    (await createBrowser(userAgents[device]).open(url)).forms.map(({ label }) => label)
  assert.deepEqual(await labels('android'), ['Download for Android', 'Download aurora.exe'])
  assert.deepEqual(await labels('windows'), ['Download for Windows', 'Download aurora.apk'])
  const browser = createBrowser(userAgents.macos)
  const page = await browser.open(url)
  assert.deepEqual(page.forms.map(({ label }) => label).toSorted(), [
    'Download aurora.apk',
    'Download aurora.exe',
  ])
  assert.match(textOf(page), /2\.1\.0 Spring Choose your platform/)
  assert.equal((await browser.open(`${url}/download`)).location, url)
  const { location } = await browser.submit(page, 'Download aurora.exe')
  assert.deepEqual(await fileOf(location), Buffer.from(windows.bytes))
})

test('explains to visitors whose device is not the one a build is for', async () => {
  const { url } = await calls.createLink(
    {},
    { platform: 'android', primary_file: { filename: 'aurora.apk', size_bytes: 1024 } },
  )
  const text = async (device: keyof typeof userAgents) =>
    textOf(await createBrowser(userAgents[device]).open(url))
  assert.match(await text('ios'), /This file is for Android, and you are using an iPhone or iPad/)
  const onAndroid = await text('android')
  assert.doesNotMatch(onAndroid, /This file is for/)
  assert.match(onAndroid, /How to install/)
})

test('explains on an Android device that an app bundle cannot be installed', async () => {
  const { url } = await calls.createLink({}, { platform: 'android', primary_file: { filename: 'app.aab' } })
  const page = await createBrowser(userAgents.android).open(url)
  assert.match(textOf(page), /Android devices cannot install this build/)
  assert.ok(!textOf(page).includes('Download for Android'))
  assert.deepEqual(
    page.forms.map(({ label }) => label),
    ['Download app.aab'],
  )
  const computer = await createBrowser(userAgents.linux).open(url)
  assert.ok(!textOf(computer).includes('Download for Android'))
})

test('counts one download for a build and its expansion files', async () => {
  const { url, build, count } = await calls.createLink(
    { max_downloads: 3 },
    {
      platform: 'android',
      structure: 'file+expansion',
      primary_file: { filename: 'game.apk', size_bytes: 1024 },
      expansion_files: [{ filename: 'main.1.game.obb', size_bytes: 600 }],
    },
  )
  assert.equal(build.expansion_files.length, 1)
  const browser = createBrowser(userAgents.android)
  const page = await browser.open(url)
  const names: string[] = []
  for (const { label } of page.forms) {
    const { location = '' } = await browser.submit(page, label)
    names.push((await fetch(location)).headers.get('content-disposition') ?? '')
  }
  assert.deepEqual(names, ['attachment; filename="game.apk"', 'attachment; filename="main.1.game.obb"'])
  assert.equal(await count(), 1)
})

test('explains why a link does not work', async () => {
  const visit = async (url: string) => {
    const page = await createBrowser().open(url)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    return `${page.status} ${/<h1>(.*?)<\/h1>/.exec(page.text)?.[1]}`
  }
  const { id, url } = await calls.createLink()
  assert.equal(await visit(url.replace(id, 'nothinghere')), '404 This link does not work')
  await calls.send('PATCH', `/share-links/${id}`, { is_active: false })
  assert.equal(await visit(url), '410 This link was revoked')
  assert.equal(await visit(`${url}/download`), '410 This link was revoked')
  await calls.send('PATCH', `/share-links/${id}`, { is_active: true })
  await service.deps.db
    .updateTable('share_links')
    .set({ expires_at: '2020-01-01T00:00:00Z' })
    .where('id', '=', id)
    .execute()
  assert.equal(await visit(url), '410 This link has expired')
  const release = await calls.createReleaseLink([(await uploadedBuild(service, tenant)).build])
  await calls.send('POST', `${release.path}/withdraw`)
  assert.equal(await visit(release.url), '410 This release was withdrawn')
})

test('shows an error page to browsers at unknown addresses and JSON to API clients', async () => {
  const { origin } = new URL(service.url)
  for (const path of ['/api/nothing', '/api/v1/nothing', '/docs/nothing', '/%zz']) {
    const page = await createBrowser().open(`${origin}${path}`)
    assert.equal(page.status, path === '/%zz' ? 400 : 404, path)
    assert.match(page.text, /<h1>(Page not found|The request was rejected)<\/h1>/)
    const json = await service.call('GET', `${origin}${path}`, { key: null })
    assert.match(json.headers.get('content-type') ?? '', /^application\/json/)
  }
})

test('shows an error page to browsers that open an invalid download URL', async () => {
  const { url } = await calls.createLink()
  const browser = createBrowser()
  const { location = '' } = await browser.open(`${url}/download`)
  const invalid = await browser.open(`${location}x`)
  assert.equal(invalid.status, 403)
  // S3 responds itself, in XML.
  if (storesInS3) return
  assert.match(textOf(invalid), /This link does not work/)
  assert.match(String(invalid.headers['content-security-policy']), /default-src 'none'/)
  assert.equal((await service.call('GET', `${location}x`, { key: null })).body.code, 'storage.bad_signature')
})

test('returns JSON errors from endpoints whatever the client accepts', async () => {
  const asHtml = { key: null, headers: { accept: 'text/html' } }
  const { status, headers } = await service.call('GET', '/applications', asHtml)
  assert.equal(status, 401)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
})

test('rejects a form that is too large or not URL-encoded', async () => {
  const { url } = await calls.createLink({ password: 'right' })
  const large = await createBrowser().post(url, { password: 'x'.repeat(40_000) })
  assert.equal(large.status, 413)
  const asHtml = { key: null, headers: { accept: 'text/html' } }
  assert.equal((await service.call('POST', url, { ...asHtml, body: { password: 'right' } })).status, 415)
})
