import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readCleartextMessage, readKey, verify } from 'openpgp'
import { channelCalls, readFeed } from '../../../../test/channels.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { missing } from '../../../../test/inspection/programs.ts'
import { runClient } from '../../../../test/packages.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof channelCalls>
let folder: string
let channel: { id: string; url: string }

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'quayside-signed-'))
  tenant = await service.tenant({ platforms: ['linux'] })
  calls = channelCalls(service, tenant)
  channel = await calls.createChannel({ stream: 'default', formats: ['json', 'hazel'] })
  const notes = '- dash\n-----BEGIN PGP SIGNED MESSAGE-----\n\u{1f680} trailing  \n'
  await calls.uploadVersion([1, 0, 0], { filename: 'harbor.tar.gz', bytes: Buffer.from('a'), notes })
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const read = (path: string) => readFeed(`${channel.url}/json/${path}`)

test(
  'signs documents so that gpgv accepts them, and rejects a tampered one',
  { skip: missing('gpgv') },
  async () => {
    const response = await fetch(`${channel.url}/json/key.gpg`)
    await writeFile(join(folder, 'key.gpg'), Buffer.from(await response.arrayBuffer()))
    const gpgv = (...args: string[]) =>
      runClient('gpgv', ['--homedir', folder, '--keyring', join(folder, 'key.gpg'), ...args], folder)
    for (const name of ['latest.json', 'versions.json']) {
      const { text, status } = await read(`${name}.asc`)
      assert.equal(status, 200)
      await writeFile(join(folder, 'signed'), text)
      const verified = await gpgv('--output', join(folder, name), 'signed')
      assert.equal(verified.code, 0, verified.text)
      const { channel_id, valid_until, ...content } = JSON.parse(await readFile(join(folder, name), 'utf8'))
      assert.deepEqual(content, JSON.parse((await read(name)).text))
      assert.equal(channel_id, channel.id)
      const days = (Date.parse(valid_until) - Date.now()) / 86_400_000
      assert.ok(days > 9 && days <= 10, valid_until)
      for (const [from, to] of [
        ['1.0.0', '9.0.0'],
        [channel.id, '2222222222'],
      ] as const) {
        await writeFile(join(folder, 'tampered'), text.replace(from, to))
        const tampered = await gpgv('tampered')
        assert.notEqual(tampered.code, 0)
        assert.match(tampered.text, /BAD signature/)
      }
    }
  },
)

test('signs documents so that Node verifies them with openpgp, until the key retires', async () => {
  const readVerified = async (armoredKey: string) => {
    const message = await readCleartextMessage({ cleartextMessage: (await read('latest.json.asc')).text })
    const { signatures, data } = await verify({
      message,
      verificationKeys: await readKey({ armoredKey }),
    })
    const results = await Promise.all(signatures.map(({ verified }) => verified.catch(() => false)))
    return results.includes(true) ? (JSON.parse(data) as { version: string }).version : undefined
  }
  const { text: key } = await read('key.asc')
  assert.equal(await readVerified(key), '1.0.0')
  const other = await service.tenant()
  const elsewhere = await channelCalls(service, other).createChannel({ stream: 'default' })
  assert.equal(await readVerified((await readFeed(`${elsewhere.url}/json/key.asc`)).text), undefined)
  const options = { key: tenant.workspaceKey, body: { overlap_days: 30 } }
  assert.equal((await service.call('POST', '/workspace/repository-keys', options)).status, 201)
  assert.equal(await readVerified(key), '1.0.0')
})

test('answers 304 and 204 for signed documents, and signs only those of the format', async () => {
  const { headers } = await read('latest.json.asc')
  const etag = headers.get('etag') ?? ''
  const unchanged = await readFeed(`${channel.url}/json/latest.json.asc`, { 'if-none-match': etag })
  const isNextHour = (await read('latest.json.asc')).headers.get('etag') !== etag
  assert.ok(unchanged.status === 304 || isNextHour)
  assert.equal((await read('latest.json.asc?version=1.0.0')).status, 204)
  for (const path of [
    'json/other.json.asc',
    'json/x/latest.json.asc',
    'json/.asc',
    'hazel/latest.json.asc',
    'hazel/key.asc',
  ])
    assert.equal((await readFeed(`${channel.url}/${path}`)).status, 404, path)
})
