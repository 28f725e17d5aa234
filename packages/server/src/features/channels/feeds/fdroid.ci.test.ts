import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { channelCalls, readFeed } from '../../../../test/channels.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { publishedApks } from '../../../../test/inspection/android-packages.ts'
import {
  androidFramework,
  createCertificate,
  missing,
  temporaryFolder,
} from '../../../../test/inspection/programs.ts'
import { buildHarborApk, runClient } from '../../../../test/packages.ts'
import { startTamperingProxy } from '../../../../test/tampering-proxy.ts'
import type { FdroidIndex } from '../adapters/samples/packages.fixture.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof channelCalls>
let tampered: Awaited<ReturnType<typeof startTamperingProxy>>
let channel: { id: string; url: string }
let signer: ReturnType<typeof createCertificate>
const folder = temporaryFolder()

const tools = ['fdroid', 'jarsigner', 'aapt2', 'apksigner', 'openssl', '/usr/bin/python3', androidFramework]
const skip = missing(...tools)

before(async () => {
  service = await startService()
  tampered = await startTamperingProxy(service.url)
  tenant = await service.tenant({ platforms: ['android'] })
  calls = channelCalls(service, tenant)
  channel = await calls.createChannel({ stream: 'default', formats: ['fdroid'] })
  if (skip === false) signer = createCertificate(folder.path, '/CN=Harbor')
})
after(async () => {
  await tampered.close()
  await service.close()
  folder[Symbol.dispose]()
})

const address = () => `${channel.url}/fdroid/repo`

async function publish(major: number): Promise<Buffer> {
  const bytes = buildHarborApk(folder.path, { name: `${major}.0.0`, code: major }, signer)
  const entry = `${address()}/entry.jar`
  const tagBefore = (await readFeed(entry)).headers.get('etag')
  const filename = `harbor-${major}.apk`
  await calls.uploadPackage([major, 0, 0], { filename, bytes, platform: 'android' })
  await calls.readUntil(entry, ({ headers }) => headers.get('etag') !== tagBefore)
  return bytes
}

/** Returns the link with the fingerprint that users add. */
async function linkOf({ id }: { id: string } = channel): Promise<string> {
  const { body } = await calls.send('GET', `/channels/${id}/readiness`)
  return body.data[0].setup[0].code
}

const script = `
import json, sys
from fdroidserver import common, index
common.config = {'jarsigner': 'jarsigner'}
data, etag = index.download_repo_index_v2(sys.argv[1], etag=sys.argv[2] if len(sys.argv) > 2 else None)
print(json.dumps({'data': data, 'etag': etag}))
`

/** Downloads and verifies a repository with fdroidserver. */
async function download(link: string, etag?: string) {
  const args = ['-c', script, link, ...(etag === undefined ? [] : [etag])]
  const { code, text } = await runClient('/usr/bin/python3', args, folder.path('.'))
  const line = text.trim().split('\n').at(-1) ?? ''
  const found = code === 0 ? (JSON.parse(line) as { data: FdroidIndex | null; etag: string }) : undefined
  return { code, text, data: found?.data, etag: found?.etag }
}

const versionsIn = (data: FdroidIndex | null | undefined) =>
  Object.values(data?.packages['com.example.harbor']?.versions ?? {})

test('fdroidserver accepts the repository and sees an update', { skip }, async () => {
  const bytes = await publish(1)
  const link = await linkOf()
  assert.match(link, new RegExp(`^${address()}\\?fingerprint=[0-9a-f]{64}$`))
  const first = await download(link)
  assert.equal(first.code, 0, first.text)
  assert.equal(first.data?.repo.address, address())
  const [version, ...others] = versionsIn(first.data)
  assert.equal(others.length, 0)
  assert.equal(version?.manifest.versionCode, 1)
  assert.deepEqual(version.manifest.signer, { sha256: [signer.sha256] })
  assert.deepEqual(version.manifest.usesSdk, { minSdkVersion: 24, targetSdkVersion: 35 })
  const { metadata } = first.data?.packages['com.example.harbor'] ?? assert.fail('no package')
  assert.deepEqual(metadata.name, { 'en-US': 'Harbor & Sea' })
  const file = await fetch(`${address()}${version.file.name}`)
  const downloaded = Buffer.from(await file.arrayBuffer())
  assert.ok(downloaded.equals(bytes))
  assert.equal(hash('sha256', downloaded), version.file.sha256)

  const unchanged = await download(link, first.etag)
  assert.deepEqual([unchanged.code, unchanged.data], [0, null], unchanged.text)
  await publish(2)
  const second = await download(link, first.etag)
  assert.equal(second.code, 0, second.text)
  assert.deepEqual(
    versionsIn(second.data).map(({ manifest }) => manifest.versionName),
    ['2.0.0', '1.0.0'],
  )
  assert.ok((second.data?.repo.timestamp ?? 0) > (first.data?.repo.timestamp ?? Infinity))
  const { body } = await calls.send('GET', `/channels/${channel.id}/readiness`)
  assert.equal(body.data[0].is_ready, true)
})

test('shows the icon and the permissions of an APK that others have built', { skip }, async () => {
  const { id } = await calls.createChannel({ name: 'Settings', formats: ['fdroid'] })
  const bytes = readFileSync(publishedApks.v2)
  const build = await calls.uploadPackage([9, 0, 0], { filename: 'settings.apk', bytes, platform: 'android' })
  await calls.release([9, 0, 0], [build], { notes: 'Fixes **harbors**' })
  const { data, text } = await download(await linkOf({ id }))
  const found = data?.packages['io.appium.settings'] ?? assert.fail(text)
  const { name = '', sha256 } = found.metadata.icon?.['en-US'] ?? {}
  const icon = await fetch(`${data?.repo.address}${name}`)
  assert.match(icon.headers.get('content-type') ?? '', /^image\//)
  assert.equal(hash('sha256', Buffer.from(await icon.arrayBuffer())), sha256)
  const [version] = Object.values(found.versions)
  const permissions = version?.manifest.usesPermission.map((permission) => permission.name)
  assert.ok(permissions?.includes('android.permission.INTERNET'), permissions?.join(' '))
  assert.deepEqual(version?.whatsNew, { 'en-US': 'Fixes **harbors**' })
})

test('rejects a tampered entry.jar and a tampered index', { skip }, async () => {
  const link = (await linkOf()).replace(service.url, tampered.url)
  assert.equal((await download(link)).code, 0)
  tampered.change(/entry\.jar$/)
  const entry = await download(link)
  assert.notEqual(entry.code, 0)
  assert.match(entry.text, /VerificationException|BadZipFile/)
  tampered.change(/index-v2\.json$/)
  const index = await download(link)
  assert.notEqual(index.code, 0)
  assert.match(index.text, /does not match entry/)
})

test('serves the index that a client has read about after a change', { skip }, async () => {
  const { data } = await download(await linkOf())
  const before = await readFeed(`${address()}/index-v2.json`)
  const path = `${address()}/${hash('sha256', before.text)}/index-v2.json`
  await publish(3)
  const after = await readFeed(path)
  assert.equal(after.status, 200)
  assert.equal(after.text, before.text)
  assert.equal(JSON.parse(before.text).repo.timestamp, data?.repo.timestamp)
})

test('keeps the read key out of the index', { skip }, async () => {
  const closed = await calls.createChannel({
    name: 'Closed',
    stream: 'default',
    formats: ['fdroid'],
    access: 'read_keys',
  })
  const created = await calls.send('POST', `/channels/${closed.id}/read-keys`, { name: 'Customer' })
  const key = created.body.data.key as string
  const link = await linkOf(closed)
  assert.match(link, /\/\/fdroid:\{read_key\}@/)
  assert.notEqual((await download(link.replace('fdroid:{read_key}@', ''))).code, 0)
  const found = await download(link.replace('{read_key}', key))
  assert.equal(found.code, 0, found.text)
  assert.equal(found.data?.repo.address, `${closed.url}/fdroid/repo`)
  assert.doesNotMatch(JSON.stringify(found.data), new RegExp(key))
})

test('signs with the key of the team once it is uploaded', { skip }, async () => {
  const link = await linkOf()
  const own = createCertificate(folder.path, '/CN=Harbor repository')
  const private_key = `${readFileSync(folder.path('key.pem'), 'utf8')}${readFileSync(own.certificate, 'utf8')}`
  const entry = `${address()}/entry.jar`
  const tagBefore = (await readFeed(entry)).headers.get('etag')
  const { status, body, text } = await service.call('POST', '/workspace/repository-keys', {
    key: tenant.workspaceKey,
    body: { kind: 'x509', private_key },
  })
  assert.equal(status, 201, text)
  assert.equal(body.data.fingerprint, own.sha256)
  await calls.readUntil(entry, ({ headers }) => headers.get('etag') !== tagBefore)
  const changed = await download(link)
  assert.notEqual(changed.code, 0)
  assert.match(changed.text, /fingerprint does not match/)
  const found = await download(await linkOf())
  assert.equal(found.code, 0, found.text)
})
