import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { channelCalls, offers, readFeed, versionIn } from '../../../../test/channels.ts'
import { startOwnService, type Service, type Tenant } from '../../../../test/harness.ts'
import { generateReadKey } from './channel-read-key.ts'

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
