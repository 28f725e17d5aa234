import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { channelCalls, readFeed } from '../../../test/channels.ts'
import { startOwnService, type Service, type Tenant } from '../../../test/harness.ts'
import { generateReadKey } from './read-keys/channel-read-key.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof channelCalls>
const logged: string[] = []

before(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged.push(chunk.toString())
      done()
    },
  })
  service = await startOwnService({ log: pino({ level: 'trace' }, stream) })
})
after(() => service.close())

/** Starts each test with an application of its own. */
async function newApplication(): Promise<void> {
  tenant = await service.tenant({ platforms: ['linux', 'macos', 'windows'] })
  calls = channelCalls(service, tenant)
}

const bytes = Buffer.from('a file')
const versionIn = ({ text }: { text: string }) => (text === '' ? undefined : JSON.parse(text).version)
const offers = (version: string) => (response: { status: number; text: string }) =>
  response.status === 200 && versionIn(response) === version

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
  assert.equal(file.url, `${releases.url}/json/2.0.0/harbor-2.0.0.tar.gz`)
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
  assert.equal((await readFeed(file.url)).status, 404)
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

test('serves a private channel only with a read key, and never logs or passes on the key', async () => {
  await newApplication()
  await calls.uploadVersion([1, 0, 0], { filename: 'harbor.tar.gz', bytes })
  const channel = await calls.createChannel({ stream: 'default', access: 'read_keys' })
  const keys = `/channels/${channel.id}/read-keys`
  const created = await calls.send('POST', keys, { name: 'Acme', max_downloads: 1 })
  const { key, url, id } = created.body.data
  assert.equal(url, `${channel.url}/k/${key}`)
  const listed = await calls.send('GET', keys)
  assert.doesNotMatch(listed.text, new RegExp(key))
  const path = 'json/latest.json'
  const inPath = await calls.readUntil(`${url}/${path}`, offers('1.0.0'))
  assert.deepEqual(
    [inPath.headers.get('cache-control'), inPath.headers.get('referrer-policy')],
    ['private, no-cache', 'no-referrer'],
  )
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`acme:${password}`).toString('base64')}`,
  })
  const byPassword = await readFeed(`${channel.url}/${path}`, basic(key))
  assert.equal(versionIn(byPassword), '1.0.0')
  assert.doesNotMatch(byPassword.text, new RegExp(key))
  const anonymous = await readFeed(`${channel.url}/${path}`)
  assert.deepEqual(
    [anonymous.status, anonymous.headers.get('www-authenticate')],
    [401, 'Basic realm="Updates", charset="UTF-8"'],
  )
  const other = await calls.createChannel({ name: 'Other', stream: 'default', access: 'read_keys' })
  for (const [wrong, status] of [
    [`${other.url}/k/${key}/${path}`, 404],
    [`${channel.url}/k/${generateReadKey().key}/${path}`, 404],
    [`${channel.url}/k/${key}x/${path}`, 404],
    [`${channel.url}/k//${path}`, 404],
    [`${channel.url}/k/${tenant.workspaceKey}/${path}`, 404],
  ] as const) {
    const response = await readFeed(wrong)
    assert.equal(response.status, status, wrong)
    assert.doesNotMatch(response.text, new RegExp(key))
  }
  assert.equal((await readFeed(`${channel.url}/${path}`, basic('wrong'))).status, 401)
  const file = JSON.parse(inPath.text).files[0].url as string
  const redirect = await readFeed(file)
  assert.equal(redirect.status, 302)
  assert.doesNotMatch(redirect.headers.get('location') ?? '', new RegExp(key))
  const exhausted = await readFeed(file)
  assert.deepEqual(
    [exhausted.status, JSON.parse(exhausted.text).code],
    [410, 'channel.download_limit_reached'],
  )
  assert.equal((await calls.send('GET', keys)).body.data[0].download_count, 1)
  await readFeed(`${url}/${path}`, { accept: 'text/html', referer: `${url}/x` })
  const { rows } = { rows: await service.deps.db.selectFrom('audit_entries').selectAll().execute() }
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(key))
  await calls.send('DELETE', `${keys}/${id}`)
  await calls.readUntil(`${url}/${path}`, ({ status }) => status === 404, { withinMs: 1_000 })
  service.deps.log.info('the log is read')
  assert.ok(logged.some((line) => line.includes('the log is read')))
  assert.equal(logged.filter((line) => line.includes(key)).length, 0)
})

test('rejects 10,000 guesses of a read key', async () => {
  await newApplication()
  await calls.uploadVersion([1, 0, 0], { filename: 'harbor.tar.gz', bytes })
  const channel = await calls.createChannel({ stream: 'default', access: 'read_keys' })
  const { key } = (await calls.send('POST', `/channels/${channel.id}/read-keys`, { name: 'Acme' })).body.data
  assert.equal((await readFeed(`${channel.url}/k/${key}/json/latest.json`)).status, 200)
  const guesses = Number(process.env['QUAYSIDE_PASSWORD_GUESSES'] ?? 300)
  for (let sent = 0; sent < guesses; sent += 50) {
    const statuses = await Promise.all(
      Array.from({ length: 50 }, () =>
        readFeed(`${channel.url}/k/${generateReadKey().key}/json/latest.json`),
      ),
    )
    assert.ok(statuses.every(({ status }) => status === 404))
  }
  const { rows } = { rows: await service.deps.db.selectFrom('channel_read_keys').selectAll().execute() }
  assert.equal(
    rows.some((row) => JSON.stringify(row).includes(key)),
    false,
  )
})

test('moves a rollout, and refuses to grow one that is paused', async () => {
  await newApplication()
  const channel = await calls.createChannel({ stream: 'default' })
  const path = `/channels/${channel.id}/rollout`
  const move = (fields: object) => calls.send('PATCH', path, { version: '2.0.0', ...fields })
  assert.equal((await move({ percentage: 20, cohorts: ['testers'] })).body.data.is_published, false)
  await calls.uploadVersion([1, 0, 0], { filename: 'harbor-1.tar.gz', bytes })
  await calls.uploadVersion([2, 0, 0], { filename: 'harbor-2.tar.gz', bytes })
  const latest = `${channel.url}/json/latest.json`
  await calls.readUntil(`${latest}?cohort=testers`, offers('2.0.0'))
  assert.equal(versionIn(await readFeed(latest)), '1.0.0')
  const ids = Array.from({ length: 100 }, (_, index) => `client-${index}`)
  const offered = async () => {
    const versions = await Promise.all(
      ids.map(async (id) => versionIn(await readFeed(`${latest}?client=${id}`))),
    )
    return new Set(ids.filter((_, index) => versions[index] === '2.0.0'))
  }
  const first = await offered()
  assert.ok(first.size > 5 && first.size < 40, `${first.size}`)
  assert.equal((await move({ state: 'paused' })).body.data.percentage, 20)
  const refused = await move({ percentage: 50 })
  assert.equal(refused.body.code, 'rollout.paused', refused.text)
  assert.equal((await move({ state: 'active', percentage: 60 })).status, 200)
  await calls.readUntil(latest, offers('1.0.0'))
  await untilGrown(offered, first)
  const growing = await move({ complete_at: '2099-01-01T00:00:00Z' })
  assert.equal(growing.body.data.complete_at, '2099-01-01T00:00:00.000000Z')
  assert.equal((await move({ complete_at: 'tomorrow' })).status, 422)
  assert.equal((await move({ version: 'x' })).status, 422)
  assert.equal((await move({ percentage: 101 })).status, 422)
  assert.equal((await move({ minimum_os: { macos: 'x' } })).status, 422)
  await move({ state: 'rolled_back' })
  const back = await calls.readUntil(`${latest}?version=2.0.0`, offers('1.0.0'), { withinMs: 1_000 })
  assert.equal(JSON.parse(back.text).is_rollback, true)
  const { body } = await calls.send('GET', path)
  assert.deepEqual(
    body.data.map(({ version, state, percentage }: Record<string, unknown>) => [version, state, percentage]),
    [
      ['2.0.0', 'rolled_back', 60],
      ['1.0.0', 'active', 100],
    ],
  )
})

/** Waits until more clients are offered the version, which must include the first ones. */
async function untilGrown(offered: () => Promise<Set<string>>, first: Set<string>): Promise<void> {
  for (;;) {
    const now = await offered()
    assert.ok(first.isSubsetOf(now))
    if (now.size > 45 && now.size < 75) return
  }
}

test('leads clients over a required version, and withholds a version from systems that are too old', async () => {
  await newApplication()
  const channel = await calls.createChannel({ stream: 'default' })
  for (const major of [1, 2, 3])
    await calls.uploadVersion([major, 0, 0], { filename: `harbor-${major}.tar.gz`, bytes })
  const path = `/channels/${channel.id}/rollout`
  await calls.send('PATCH', path, { version: '2.0.0', is_required: true, is_critical: true })
  await calls.send('PATCH', path, { version: '3.0.0', minimum_os: { linux: '6.1' } })
  const latest = (query: string) => `${channel.url}/json/latest.json?platform=linux&${query}`
  await calls.readUntil(
    latest('version=1.0.0'),
    (response) => offers('2.0.0')(response) && JSON.parse(response.text).is_critical,
  )
  await calls.readUntil(latest('version=2.0.0&os_version=6.8'), offers('3.0.0'))
  assert.equal((await readFeed(latest('version=2.0.0&os_version=5.15'))).status, 204)
})
