import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { publishedApks } from '../../../test/inspection/android-packages.ts'
import { publishedExecutables } from '../../../test/inspection/windows-packages.ts'
import { createBrowser, textOf, userAgents } from '../../../test/page-browser.ts'
import { fileOf, shareCalls } from '../../../test/share-links.ts'
import { until } from '../../../test/until.ts'
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

/** Returns the Open Graph tags and those of X by name. */
const previewOf = ({ text }: { text: string }): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)" \/>/g)].map(
      ([, name = '', content = '']) => [
        name,
        content.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
      ],
    ),
  )

test('describes a link to chats that draw a preview', async () => {
  const { url, shortUrl } = await calls.createLink({}, { notes: 'Quiet notes' })
  const page = await createBrowser().open(url)
  const { 'og:description': description = '', ...rest } = previewOf(page)
  const title = `App ${tenant.workspaceId} 1.2.3`
  assert.match(description, /^Linux · [\d.]+ K?B · Shared by /)
  assert.deepEqual(rest, {
    'og:type': 'website',
    'og:site_name': description.replace(/^.*Shared by /, ''),
    'og:title': title,
    'og:url': shortUrl,
    'twitter:card': 'summary',
    'twitter:title': title,
    'twitter:description': description,
  })
  const whatsApp = await createBrowser('WhatsApp/2.23.20.0 A').open(url, { accept: '*/*' })
  assert.deepEqual(previewOf(whatsApp), previewOf(page))
})

test('lists builds by platform and architecture and collapses many files for no platform', async () => {
  const build = async (platform: string, filename: string, architectures: string[] = []) =>
    (
      await uploadedBuild(service, tenant, {
        platform,
        architectures,
        primary_file: { filename, size_bytes: 1024 },
      })
    ).build
  const documents = ['a.sig', 'b.sig', 'c.sig', 'd.sig'].map((name) => () => build('generic', name))
  const builds = []
  for (const create of [
    () => build('linux', 'arm.7z', ['arm64v8']),
    () => build('linux', 'intel.7z', ['x64']),
    () => build('windows', 'setup.exe'),
    ...documents,
  ])
    builds.push(await create())
  const { url } = await calls.createReleaseLink(builds)
  const page = await createBrowser(userAgents.linux).open(url)
  const labels = ['intel.7z', 'arm.7z', 'setup.exe', 'a.sig', 'b.sig', 'c.sig', 'd.sig']
  assert.deepEqual(
    page.forms.map(({ label }) => label),
    ['Download for Linux', ...labels.slice(1).map((name) => `Download ${name}`)],
  )
  assert.match(textOf(page), /Download for Linux intel\.7z .* Other downloads Linux · .* Windows /)
  assert.doesNotMatch(page.text, /more files/)

  const longer = await calls.createReleaseLink([...builds, await build('generic', 'e.sig')])
  const { text } = await createBrowser(userAgents.linux).open(longer.url)
  const [listed = '', collapsed = ''] = text.split('5 more files')
  assert.ok(listed.includes('setup.exe') && !listed.includes('e.sig'))
  assert.ok(collapsed.includes('e.sig'))
})

test('shows the icon of the application in previews', async () => {
  const { url } = await calls.createLink()
  const data = 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC'
  const path = `/applications/${tenant.applicationId}/icon`
  const { status } = await calls.send('PUT', path, { content_type: 'image/png', data })
  assert.equal(status, 200)
  const { 'og:image': image = '', 'twitter:image': sameImage } = previewOf(await createBrowser().open(url))
  assert.equal(sameImage, image)
  assert.equal((await fetch(image)).headers.get('content-type'), 'image/png')
  await calls.send('DELETE', path)
})

test('shows no preview of a link that has a password or no longer works', async () => {
  const { url, id } = await calls.createLink({ password: 'open sesame' })
  const browser = createBrowser()
  const locked = await browser.open(url)
  await browser.submit(locked, 'Continue', { password: 'open sesame' })
  const unlocked = await browser.open(url)
  assert.match(textOf(unlocked), /1\.2\.3/)
  await calls.send('PATCH', `/share-links/${id}`, { is_active: false, password: null })
  const revoked = await browser.open(url)
  assert.equal(revoked.status, 410)
  for (const page of [locked, unlocked, revoked]) assert.deepEqual(previewOf(page), {})
})

test('escapes hostile names in previews', async () => {
  const { url } = await calls.createReleaseLink([(await uploadedBuild(service, tenant)).build], {
    title: '"><script>alert(1)</script>',
  })
  const page = await createBrowser().open(url)
  assert.match(previewOf(page)['og:description'] ?? '', /^"><script>alert\(1\)<\/script> · Linux · /)
  assert.doesNotMatch(page.text, /<script/)
})

test('treats the short URL of a link like the long one', async () => {
  const { shortUrl, url, id, bytes, count } = await calls.createLink({ max_downloads: 2, password: 'sesame' })
  const { origin } = new URL(service.url)
  assert.match(shortUrl.slice(origin.length), new RegExp(`^/s/${id}[2-9a-z]{20}$`))
  const sent = { key: null, headers: { accept: '*/*' } }
  const [short, long] = [await service.call('GET', shortUrl, sent), await service.call('GET', url, sent)]
  assert.deepEqual([short.status, short.body], [200, long.body])
  const grant = await service.call('POST', `${shortUrl}/grants`, { key: null, body: { password: 'sesame' } })
  const query = `?grant=${grant.body.data.grant}`
  const browser = createBrowser()
  for (const path of [shortUrl, `${shortUrl}/download${query}`]) {
    assert.ok((await browser.head(path)).status < 400)
    await browser.open(path, { 'sec-purpose': 'prefetch' })
  }
  assert.equal(await count(), 0)
  const unlocked = await browser.submit(await browser.open(shortUrl), 'Continue', { password: 'sesame' })
  assert.deepEqual([unlocked.status, unlocked.location], [303, shortUrl])
  assert.match(unlocked.setCookies[0] ?? '', new RegExp(`; Path=${new URL(shortUrl).pathname};`))
  const download = await browser.submit(await browser.open(shortUrl), 'Download for Linux')
  assert.deepEqual(await fileOf(download.location), Buffer.from(bytes))
  const asJson = { key: null, redirect: 'manual' as const }
  assert.equal((await service.call('GET', `${shortUrl}/download${query}`, asJson)).status, 302)
  assert.equal(await count(), 2)
  const usedUp = await createBrowser().open(shortUrl)
  assert.deepEqual([usedUp.status, /<h1>(.*?)<\/h1>/.exec(usedUp.text)?.[1]], [410, 'No downloads left'])
  await calls.send('PATCH', `/share-links/${id}`, { is_active: false })
  assert.equal((await service.call('GET', shortUrl, sent)).body.code, 'share_link.revoked')
  assert.equal((await service.call('DELETE', shortUrl, { key: null })).status, 405)
})

test('explains that a short URL is incomplete or wrong', async () => {
  const { shortUrl } = await calls.createLink()
  const { origin, pathname } = new URL(shortUrl)
  const last = shortUrl.endsWith('2') ? '3' : '2'
  const wrong = [shortUrl.slice(0, -1), `${shortUrl}2`, shortUrl.slice(0, -1) + last]
  wrong.push(`${origin}/s/${pathname.slice(3).toUpperCase()}`)
  for (const url of [...wrong, `${origin}/s/`, `${origin}/s/nothing`]) {
    const page = await createBrowser().open(url)
    assert.equal(page.status, 404, url)
    assert.match(textOf(page), /This link does not work/)
    assert.equal((await service.call('GET', page.url, { key: null })).body.code, 'resource.not_found')
  }
})

/** Uploads a file and waits until its metadata has been read. */
async function createInspectedLink(platform: string, filename: string, bytes: Buffer) {
  const { build } = await uploadedBuild(service, tenant, { platform, primary_file: { filename } }, bytes)
  const path = `/applications/${tenant.applicationId}/builds/${build.id}`
  await until('the metadata', async () => (await calls.send('GET', path)).body.data.processing === 'done')
  const { data } = (await calls.send('POST', `${path}/share-links`, {})).body
  return { build, url: data.url as string }
}

const { v2: apk } = publishedApks
const { snoretoast: exe } = publishedExecutables

test('shows the signer, signature, system and architectures of packages', async () => {
  const android = await createInspectedLink('android', 'app.apk', await readFile(apk))
  const onAndroid = textOf(await createBrowser(userAgents.android).open(android.url))
  assert.match(
    onAndroid,
    /Requires Android [\d.]+ or newer .*Signature Matches the file Signed by \S.* \(unverified name\)/,
  )
  const windows = await createInspectedLink('windows', 'setup.exe', await readFile(exe))
  const onWindows = textOf(await createBrowser(userAgents.windows).open(windows.url))
  assert.match(
    onWindows,
    /Architectures Intel \S.* Signature Matches the file Signed by \S.* \(unverified name\)/,
  )
  const { url } = await calls.createReleaseLink([android.build, windows.build])
  const both = textOf(await createBrowser(userAgents.macos).open(url))
  assert.match(both, /app\.apk Android [\d.]+ or newer · Signed by /)
})

test('warns visitors of a package that was changed after it was signed', async () => {
  const bytes = await readFile(exe)
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
  const { url } = await createInspectedLink('windows', 'setup.exe', bytes)
  const page = await createBrowser(userAgents.windows).open(url)
  assert.match(textOf(page), /Signature Invalid: changed after signing/)
  assert.match(page.text, /class="bad"/)
})

test('speaks the language that the browser prefers', async () => {
  const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' }
  const { url } = await calls.createLink({ password: 'open sesame' }, { notes: 'Quiet notes' })
  const browser = createBrowser(userAgents.windows)
  const locked = await browser.open(url, german)
  assert.match(locked.text, /<html lang="de">/)
  assert.match(textOf(locked), /Passwort eingeben Dieser Download ist geschützt/)
  await browser.submit(locked, 'Weiter', { password: 'open sesame' })
  const page = textOf(await browser.open(url, german))
  assert.match(page, /Download für Linux/)
  assert.match(page, /Diese Datei ist für Linux, und Sie verwenden einen Windows-Computer/)
  assert.match(page, /Geteilt von .* Neuigkeiten Quiet notes .* Geteilt mit Quayside/)
  assert.doesNotMatch(page, /\b(the|this|with|for)\b/i)

  const { url: expiring } = await calls.createLink({ max_downloads: 1234, expires_at: inDays(6) })
  const limited = textOf(await createBrowser().open(expiring, german))
  assert.match(limited, /Läuft ab in [56] Tagen Verbleibende Downloads 1\.234/)
  const missing = await createBrowser().open(`${service.url}/nowhere`, german)
  assert.match(textOf(missing), /Seite nicht gefunden/)
  assert.match(textOf(await createBrowser().open(url, { 'accept-language': 'fr' })), /Enter the password/)
})

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
