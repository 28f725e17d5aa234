import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { channelCalls, offers, readFeed, versionIn } from '../../../test/channels.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof channelCalls>

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Starts each test with an application of its own. */
async function newApplication(): Promise<void> {
  tenant = await service.tenant({ platforms: ['linux', 'macos', 'windows'] })
  calls = channelCalls(service, tenant)
}

const bytes = Buffer.from('a file')

test('creates, lists, updates and deletes channels, and keeps the streams that they publish', async () => {
  await newApplication()
  const { send } = calls
  const channel = await calls.createChannel({ stream: 'default', formats: ['json', 'tauri'] })
  assert.equal(channel.url, `${service.url}/u/${channel.id}`)
  const { body: listed } = await send('GET', '/channels')
  assert.deepEqual(
    listed.data.map(
      ({ name, stream, access }: { name: string; stream: { name: string }; access: string }) => [
        name,
        stream.name,
        access,
      ],
    ),
    [['Stable', 'default', 'public']],
  )
  assert.equal(
    (await send('POST', '/channels', { name: 'STABLE', formats: ['json'] })).body.code,
    'channel.name_taken',
  )
  assert.equal((await send('POST', '/channels', { name: 'x', formats: ['rss'] })).status, 422)
  assert.equal((await send('POST', '/channels', { name: 'x', formats: ['json'], stream: 'no' })).status, 422)
  const refused = await send('DELETE', `/streams/${listed.data[0].stream.id}`)
  assert.equal(refused.body.code, 'stream.published', refused.text)
  assert.match(refused.text, /channel \\"Stable\\"/)
  const updated = await send('PATCH', `/channels/${channel.id}`, { stream: null, name: 'Releases' })
  assert.deepEqual([updated.body.data.stream, updated.body.data.name], [null, 'Releases'])
  assert.equal((await send('DELETE', `/streams/${listed.data[0].stream.id}`)).status, 200)
  assert.equal((await send('DELETE', `/channels/${channel.id}`)).status, 200)
  assert.equal((await send('GET', `/channels/${channel.id}`)).status, 404)
})

test('publishes releases or a stream, answers 304, and redirects to the files', async () => {
  await newApplication()
  const one = await calls.uploadVersion([1, 0, 0], { filename: 'harbor-1.0.0.tar.gz', bytes })
  await calls.release([1, 0, 0], [one])
  const releases = await calls.createChannel()
  const stream = await calls.createChannel({ name: 'Nightly', stream: 'default' })
  const latest = (channel: { url: string }, query = '') => `${channel.url}/json/latest.json${query}`
  await calls.readUntil(latest(releases), offers('1.0.0'))
  const two = await calls.uploadVersion([2, 0, 0], { filename: 'harbor-2.0.0.tar.gz', bytes, notes: 'New' })
  await calls.readUntil(latest(stream), offers('2.0.0'))
  await calls.readUntil(latest(releases), offers('1.0.0'))
  const id = await calls.release([2, 0, 0], [two], { notes: '**Better**' })
  const { text, headers } = await calls.readUntil(latest(releases), offers('2.0.0'))
  assert.equal(JSON.parse(text).notes, '**Better**')
  assert.equal(headers.get('cache-control'), 'public, no-cache')
  const unchanged = await readFeed(latest(releases), { 'if-none-match': headers.get('etag') ?? '' })
  assert.deepEqual([unchanged.status, unchanged.text], [304, ''])
  const head = await readFeed(latest(releases), {}, 'HEAD')
  assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', headers.get('etag')])
  const upToDate = await readFeed(latest(releases, '?version=2.0.0'))
  assert.deepEqual([upToDate.status, upToDate.text], [204, ''])
  const [file] = JSON.parse(text).files
  assert.equal(file.url, `${releases.url}/json/2.0.0/${two}/harbor-2.0.0.tar.gz`)
  const redirect = await readFeed(file.url)
  assert.deepEqual([redirect.status, redirect.headers.get('referrer-policy')], [302, 'no-referrer'])
  assert.equal(redirect.headers.get('etag'), `"${file.sha256}"`)
  const downloaded = await fetch(redirect.headers.get('location') ?? '')
  assert.deepEqual(Buffer.from(await downloaded.arrayBuffer()), bytes)
  await readFeed(file.url, {}, 'HEAD')
  await readFeed(file.url, { range: 'bytes=2-3' })
  assert.equal((await readFeed(file.url, { 'if-none-match': `"${file.sha256}"` })).status, 304)
  const downloads = await service.deps.db
    .selectFrom('downloads')
    .select('channel')
    .where('build_id', '=', two)
    .execute()
  assert.deepEqual(downloads, [{ channel: 'feed' }])
  await calls.send('POST', `/releases/${id}/withdraw`)
  await calls.readUntil(latest(releases), offers('1.0.0'), { withinMs: 1_000 })
  // A client may have read the feed just before.
  assert.equal((await readFeed(file.url)).status, 302)
  const stop = { version: '2.0.0', state: 'stopped' }
  await calls.send('PATCH', `/channels/${releases.id}/rollout`, stop)
  await calls.readUntil(file.url, ({ status }) => status === 404, { withinMs: 1_000 })
  await calls.send('DELETE', `/builds/${two}?force=true`)
  await calls.readUntil(latest(stream), offers('1.0.0'), { withinMs: 1_000 })
  await service.call('DELETE', `/applications/${tenant.applicationId}`, { key: tenant.workspaceKey })
  await calls.readUntil(latest(stream), ({ status }) => status === 404, { withinMs: 1_000 })
})

test('publishes pre-releases only if the channel includes them', async () => {
  await newApplication()
  const one = await calls.uploadVersion([1, 0, 0], { filename: 'harbor.tar.gz', bytes })
  await calls.release([1, 0, 0], [one])
  await calls.release([2, 0, 0], [one], { version_component_extra: 'beta.1' })
  const stable = await calls.createChannel()
  const beta = await calls.createChannel({ name: 'Beta', includes_prereleases: true })
  assert.equal(versionIn(await readFeed(`${stable.url}/json/latest.json`)), '1.0.0')
  assert.equal(versionIn(await readFeed(`${beta.url}/json/latest.json`)), '2.0.0-beta.1')
})

test('shows nothing of another application or workspace, and serves only its formats', async () => {
  await newApplication()
  const own = await calls.uploadVersion([1, 0, 0], { filename: 'harbor.tar.gz', bytes })
  const channel = await calls.createChannel({ stream: 'default' })
  const [first, firstCalls] = [channel, calls]
  await newApplication()
  await calls.uploadVersion([9, 0, 0], { filename: 'secret.tar.gz', bytes: Buffer.from('secret') })
  const other = await calls.createChannel({ stream: 'default' })
  const { text } = await readFeed(`${first.url}/json/versions.json`)
  assert.deepEqual(
    JSON.parse(text).versions.map(({ version }: { version: string }) => version),
    ['1.0.0'],
  )
  for (const path of [
    'json/9.0.0/secret.tar.gz',
    'json/secret.tar.gz',
    'json/1.0.0/x/harbor.tar.gz',
    `json/1.0.0/${own}/..%2f..%2fharbor.tar.gz`,
    'json/../../x',
    'tauri/latest.json',
    'constructor/latest.json',
    '__proto__/x',
    'json/%00',
    'json/%zz',
    'json/%ff',
    'json',
    '',
    'k/x/json/latest.json/x',
  ])
    assert.ok([400, 404].includes((await readFeed(`${first.url}/${path}`)).status), path)
  for (const id of ['', 'x', '23456789ab', `${first.id}x`, encodeURIComponent("' or 1=1 --")])
    assert.equal((await readFeed(`${service.url}/u/${id}/json/latest.json`)).status, 404, id)
  const stream = (await firstCalls.send('GET', `/channels/${first.id}`)).body.data.stream.id
  assert.equal((await calls.send('PATCH', `/channels/${other.id}`, { stream })).status, 422)
})

test('reports what a format lacks before the version is offered', async () => {
  await newApplication()
  const channel = await calls.createChannel({ stream: 'default', formats: ['tauri', 'json', 'sparkle'] })
  const readiness = async () => (await calls.send('GET', `/channels/${channel.id}/readiness`)).body.data
  assert.match((await readiness())[0].missing[0].message, /no builds yet/)
  const filename = 'harbor_1.0.0_amd64.AppImage'
  const id = await calls.uploadVersion([1, 0, 0], { filename, bytes })
  const [tauri, json, sparkle] = await readiness()
  assert.deepEqual([tauri.is_ready, json.is_ready, sparkle.is_ready], [false, true, false])
  assert.deepEqual([tauri.missing[0].build_id, tauri.missing[0].filename], [id, `${filename}.sig`])
  assert.deepEqual(json.urls, [`${channel.url}/json/latest.json`, `${channel.url}/json/versions.json`])
  await calls.addArtifact(id, `${filename}.sig`, Buffer.from('RUQ='))
  assert.equal((await readiness())[0].is_ready, true)
  await calls.readUntil(`${channel.url}/tauri/linux/x86_64/0.9.0`, offers('1.0.0'))
})
