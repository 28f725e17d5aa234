import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startOwnService, type Service, type Tenant } from '../../../test/harness.ts'
import { createBrowser } from '../../../test/page-browser.ts'
import { insertMember } from '../../../test/people.ts'
import { releaseCalls } from '../../../test/releases.ts'
import { uploadedBuild, versionOf } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant
let stream: { id: string; name: string }

before(async () => {
  service = await startOwnService()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { key: tenant.workspaceKey, body })

/** Starts each test with an application of its own. */
async function newApplication() {
  tenant = await service.tenant()
  const streams = (await send('GET', `/applications/${tenant.applicationId}/streams`)).body.data
  stream = streams[0]
}

const upload = (fields: Record<string, unknown> = {}, bytes?: Buffer) =>
  uploadedBuild(service, tenant, { stream: stream.name, ...fields }, bytes)

const latest = (platform = 'linux', rest = '') =>
  `${service.url}/d/${tenant.applicationId}/${encodeURIComponent(stream.name)}/latest/${platform}${rest}`
const release = (version: string, platform = 'linux') =>
  `${service.url}/d/${tenant.applicationId}/releases/${version}/${platform}`

type Options = { key?: string | null; method?: string; headers?: Record<string, string> }

const open = (url: string, { key = tenant.applicationKey, method = 'GET', headers = {} }: Options = {}) =>
  service.call(method, url, { key, headers })

async function contentOf(url: string, options?: Options): Promise<Buffer> {
  const { status, headers, text } = await open(url, options)
  assert.equal(status, 302, text)
  const file = await fetch(headers.get('location') ?? assert.fail(text))
  return Buffer.from(await file.arrayBuffer())
}

const downloadsOf = (buildId: string) =>
  service.deps.db
    .selectFrom('downloads')
    .select(['channel', 'portal_id', 'file_id'])
    .where('build_id', '=', buildId)
    .execute()

test('redirects to the newest build of a stream for a platform and an architecture', async () => {
  await newApplication()
  const [old, arm, newest] = [randomBytes(100), randomBytes(101), randomBytes(102)]
  await upload({ architectures: ['x64'] }, old)
  await upload({ architectures: ['arm64v8'] }, arm)
  await upload({ platform: 'windows' })
  const { build } = await upload({ architectures: ['x64'] }, newest)
  assert.deepEqual(await contentOf(latest()), newest)
  assert.deepEqual(await contentOf(latest('linux', '/arm64v8')), arm)
  assert.deepEqual(await contentOf(latest('linux', '/x64')), newest)
  assert.deepEqual(await contentOf(latest().replace(encodeURIComponent(stream.name), stream.id)), newest)
  for (const url of [latest('ios'), latest('nothing'), latest('linux', '/riscv64'), latest('linux', '/%zz')])
    assert.equal((await open(url)).status, 404, url)
  await send('DELETE', `/applications/${tenant.applicationId}/builds/${build.id}`)
  assert.deepEqual(await contentOf(latest()), arm)
})

test('describes the file, has a tag of its content and records only downloads', async () => {
  await newApplication()
  const { build, bytes } = await upload({ primary_file: { filename: 'Harbor 1.2.7z' } })
  const { status, headers, body } = await open(latest())
  const etag = headers.get('etag') ?? ''
  assert.deepEqual(
    [status, body.filename, body.size_bytes, etag],
    [302, 'Harbor 1.2.7z', bytes.length, `"${body.checksum_sha256}"`],
  )
  assert.match(headers.get('cache-control') ?? '', /no-cache/)
  const head = await open(latest(), { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('etag'), head.text], [302, etag, ''])
  const location = head.headers.get('location') ?? assert.fail('no location')
  const part = await fetch(location, { headers: { range: 'bytes=1000-' } })
  assert.equal(part.status, 206)
  assert.match(part.headers.get('content-disposition') ?? '', /Harbor 1\.2\.7z/)
  const unchanged = await open(latest(), { headers: { 'if-none-match': etag } })
  assert.deepEqual([unchanged.status, unchanged.text, unchanged.headers.get('location')], [304, '', null])
  const rows = await downloadsOf(build.id)
  assert.deepEqual(
    rows.map(({ channel, file_id }) => [channel, file_id]),
    [['api', build.primary_file.id]],
  )
})

test('redirects to a build of a published release by its version', async () => {
  await newApplication()
  const { create, publish, withdraw } = releaseCalls(service, tenant)
  const publishBuild = async (version: object, bytes: Buffer, fields: Record<string, unknown> = {}) => {
    const { build } = await upload(fields, bytes)
    const { id } = await create({ ...version, build_ids: [build.id], draft: true })
    await publish(id)
    return id as string
  }
  const [one, beta, two, windows] = [randomBytes(10), randomBytes(11), randomBytes(12), randomBytes(13)]
  await publishBuild(versionOf(1, 4), one)
  const second = await publishBuild(versionOf(2), two)
  await publishBuild({ ...versionOf(2), version_component_extra: 'beta.1' }, beta)
  await publishBuild(versionOf(3), windows, { platform: 'windows' })
  assert.deepEqual(await contentOf(release('1.4.0')), one)
  assert.deepEqual(await contentOf(release('v2.0.0-beta.1')), beta)
  assert.deepEqual(await contentOf(release('latest')), two)
  assert.deepEqual(await contentOf(release('latest', 'windows')), windows)
  for (const version of ['9.0.0', '1.4', 'x', '1.4.0%00'])
    assert.equal((await open(release(version))).status, 404, version)
  await withdraw(second)
  assert.deepEqual(await contentOf(release('latest')), beta)
  assert.equal((await open(release('2.0.0'))).status, 404)
})

test('gives a build only to a caller with access to the application', async () => {
  await newApplication()
  await upload()
  const { workspaceId, applicationId, applicationKey } = tenant
  const other = await service.tenant()
  const withoutBuilds = await service.key(workspaceId, applicationId, ['application:read'])
  const stranger = await insertMember(service, tenant)
  for (const [key, status] of [
    [null, 404],
    [other.workspaceKey, 404],
    [other.applicationKey, 404],
    [withoutBuilds, 403],
    ['qs_unknown', 401],
    [await service.signIn(stranger), 404],
    [applicationKey, 302],
  ] as const)
    assert.equal((await open(latest(), { key })).status, status, String(key))
})

test('downloads in a browser for members, and for visitors if a public portal shows the build', async () => {
  await newApplication()
  const { build } = await upload()
  const member = await insertMember(service, tenant, { applicationRole: 'readonly' })
  const cookie = await service.signIn(member)
  const signedIn = await createBrowser().open(latest(), { cookie })
  assert.equal(signedIn.status, 303, signedIn.text)
  const file = await fetch(signedIn.location ?? assert.fail('no location'))
  assert.equal((await file.arrayBuffer()).byteLength, 1024)
  const visitor = await createBrowser().open(latest())
  assert.equal(visitor.status, 404)
  assert.match(visitor.text, /<h1>Page not found<\/h1>/)
  assert.deepEqual(
    (await downloadsOf(build.id)).map(({ channel }) => channel),
    ['console'],
  )
})

test('needs no key for what a public portal shows', async () => {
  await newApplication()
  const { build, bytes } = await upload()
  const { create, withdraw } = releaseCalls(service, tenant)
  const { id } = await create({ ...versionOf(1), build_ids: [build.id] })
  const portal = (await send('POST', '/portals', { name: 'Downloads', type: 'private' })).body.data
  const show = (fields: object) =>
    send('PUT', `/portals/${portal.id}/applications/${tenant.applicationId}`, {
      streams_mode: 'none',
      releases_mode: 'none',
      ...fields,
    })
  const statuses = async () => [
    (await open(latest(), { key: null, method: 'HEAD' })).status,
    (await open(release('latest'), { key: null, method: 'HEAD' })).status,
    (await open(release('1.0.0'), { key: null, method: 'HEAD' })).status,
  ]
  await show({ streams_mode: 'all', releases_mode: 'all' })
  assert.deepEqual(await statuses(), [404, 404, 404], 'private')
  await send('PATCH', `/portals/${portal.id}`, { type: 'public' })
  assert.deepEqual(await statuses(), [302, 302, 302])
  await show({ streams_mode: 'selective', stream_ids: [], releases_mode: 'selective' })
  assert.deepEqual(await statuses(), [404, 404, 404], 'nothing selected')
  await show({ streams_mode: 'selective', stream_ids: [stream.id], releases_mode: 'selective' })
  await send('POST', `/portals/${portal.id}/releases`, { release_id: id })
  assert.deepEqual(await statuses(), [302, 302, 302], 'selected')
  assert.deepEqual(await contentOf(latest(), { key: null }), Buffer.from(bytes))
  assert.deepEqual(await contentOf(release('latest'), { key: null }), Buffer.from(bytes))
  assert.deepEqual(
    (await downloadsOf(build.id)).map(({ channel, portal_id }) => [channel, portal_id]),
    [
      ['portal', portal.id],
      ['portal', portal.id],
    ],
  )
  assert.equal((await createBrowser().open(latest())).status, 303)
  // People who are signed in without access to the application, and those who were signed in, get what everyone gets.
  const stranger = await service.signIn(await insertMember(service, tenant))
  const former = await insertMember(service, tenant)
  const ended = await service.signIn(former)
  await service.deps.db.deleteFrom('sessions').where('user_id', '=', former).execute()
  for (const cookie of [stranger, ended])
    for (const url of [latest(), release('latest')]) {
      const browser = createBrowser()
      const { status, location = '' } = await browser.open(url, { cookie })
      assert.equal(status, 303, url)
      const download = await browser.open(location, { cookie })
      const file = await fetch(download.location ?? assert.fail(download.text))
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
    }
  await withdraw(id)
  const opened = async (cookie: string, url = release('latest')) => {
    const { location = '' } = await createBrowser().open(url, { cookie })
    const { status, location: next } = await createBrowser().open(location, { cookie })
    return [status, next]
  }
  assert.deepEqual(await opened(stranger), [404, undefined])
  const next = encodeURIComponent(`/applications/${tenant.applicationId}/releases`)
  assert.deepEqual(await opened(ended), [303, `${service.url}/sign-in?next=${next}`])
  const builds = encodeURIComponent(`/applications/${tenant.applicationId}`)
  assert.deepEqual(await opened(ended, latest('ios')), [303, `${service.url}/sign-in?next=${builds}`])
  assert.deepEqual(await statuses(), [302, 404, 404], 'withdrawn')
  await send('DELETE', `/applications/${tenant.applicationId}`)
  assert.deepEqual(await statuses(), [404, 404, 404], 'application in the trash')
})

test('opens the release of a share link, and counts its downloads', async () => {
  await newApplication()
  const { build, bytes } = await upload({ architectures: ['x64'] })
  const windows = await upload({ platform: 'windows' })
  const { create, shareLink, withdraw, publish } = releaseCalls(service, tenant)
  const { id } = await create({ ...versionOf(1), build_ids: [build.id, windows.build.id] })
  const codeOf = async (fields: object = {}) =>
    (await shareLink(id, fields)).short_url.replace(/.*\/s\//, '') as string
  const limited = await codeOf({ max_downloads: 2 })
  const openShared = (path: string, code: string, options: Options = { key: null }) =>
    open(`${service.url}/d/${tenant.applicationId}/${path}?share=${encodeURIComponent(code)}`, options)
  const head = await openShared('releases/latest/linux', limited, { key: null, method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('location')], [302, null])
  for (const path of ['releases/latest/linux/x64', 'releases/1.0.0/linux']) {
    const { status, headers } = await openShared(path, limited)
    assert.equal(status, 302)
    const file = await fetch(headers.get('location') ?? assert.fail('no location'))
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
  }
  assert.equal((await openShared('releases/1.0.0/linux', limited)).body.code, 'share_link.used_up')
  assert.deepEqual(
    (await downloadsOf(build.id)).map(({ channel }) => channel),
    ['share-link', 'share-link'],
  )
  const code = await codeOf()
  for (const path of ['releases/2.0.0/linux', 'releases/latest/ios', 'releases/latest/linux/arm64v8'])
    assert.equal((await openShared(path, code)).status, 404, path)
  assert.equal((await openShared(`${stream.name}/latest/linux`, code)).status, 404)
  const wrong = `${code.slice(0, -1)}${code.endsWith('b') ? 'c' : 'b'}`
  for (const other of [wrong, code.slice(0, 10), 'x', '', '/', '../s'])
    assert.equal((await openShared('releases/latest/linux', other)).status, 404, other)
  const visitor = await createBrowser().open(`${release('latest', 'windows')}?share=${code}`)
  assert.equal(visitor.status, 303, visitor.text)
  await withdraw(id)
  const hidden = await openShared('releases/latest/linux', code)
  assert.equal(hidden.body.code, 'share_link.release_withdrawn')
  await publish(id)
  const locked = await openShared('releases/latest/linux', await codeOf({ password: 'open sesame' }))
  assert.equal(locked.body.code, 'share_link.password_required')
})

test('gives 100 clients complete files while the latest build changes', async () => {
  await newApplication()
  const contents = Array.from({ length: 4 }, () => randomBytes(200_000))
  await upload({}, contents[0])
  const uploads = (async () => {
    for (const bytes of contents.slice(1)) await upload({}, bytes)
  })()
  const received = await Promise.all(Array.from({ length: 100 }, () => contentOf(latest())))
  await uploads
  for (const bytes of received) assert.ok(contents.some((content) => content.equals(bytes)))
  assert.deepEqual(await contentOf(latest()), contents.at(-1))
})
