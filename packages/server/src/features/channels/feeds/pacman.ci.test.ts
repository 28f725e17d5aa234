import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isUnavailable, repeatWhile } from '../../../../test/acceptance/repeat-while.ts'
import { channelCalls, readFeed } from '../../../../test/channels.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { missing } from '../../../../test/inspection/programs.ts'
import { buildHarborPacman, runClient } from '../../../../test/packages.ts'
import { startTamperingProxy } from '../../../../test/tampering-proxy.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof channelCalls>
let folder: string
let tampered: Awaited<ReturnType<typeof startTamperingProxy>>
let channel: { id: string; url: string }

const skip = missing('pacman', 'pacman-key', 'gpg')

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'quayside-pacman-'))
  tampered = await startTamperingProxy(service.url)
  tenant = await service.tenant({ platforms: ['arch'] })
  calls = channelCalls(service, tenant)
  channel = await calls.createChannel({ stream: 'default', formats: ['pacman'] })
})
after(async () => {
  await tampered.close()
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

async function publish(
  version: string,
  fields?: string,
  headers: Record<string, string> = {},
): Promise<Buffer> {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const bytes = buildHarborPacman(version, fields)
  const database = `${channel.url}/pacman/x86_64/harbor.db`
  const before = (await readFeed(database, headers)).headers.get('location')
  const filename = `harbor-${version}-1-any.pkg.tar.zst`
  await calls.uploadPackage([major, minor, patch], { filename, bytes, platform: 'arch' })
  await calls.readUntil(database, (response) => response.headers.get('location') !== before, { headers })
  return bytes
}

/** Creates an empty root that trusts the repository key and whose only repository is at the URL of a channel. */
async function pacmanIn(name: string, server: string, path = new URL(channel.url).pathname) {
  const root = join(folder, name)
  const [database, cache, keys] = [join(root, 'db'), join(root, 'cache'), join(root, 'gnupg')]
  for (const path of [database, cache, keys]) await mkdir(path, { recursive: true })
  const url = `${server}${path}/pacman`
  const configuration = join(root, 'pacman.conf')
  const lines = [
    '[options]',
    'Architecture = x86_64',
    `GPGDir = ${keys}`,
    '[harbor]',
    'SigLevel = DatabaseRequired PackageNever',
    `Server = ${url}/$arch`,
  ]
  await writeFile(configuration, `${lines.join('\n')}\n`)
  const key = await repeatWhile(isUnavailable, () => readFeed(`${url}/key.asc`))
  assert.equal(key.status, 200, key.text)
  await writeFile(join(root, 'key.asc'), key.text)
  const trust = (...args: string[]) =>
    runClient('pacman-key', ['--config', configuration, '--gpgdir', keys, ...args], root)
  const shown = await runClient('gpg', ['--show-keys', '--with-colons', 'key.asc'], root)
  const [, fingerprint = ''] = /^fpr:+([0-9A-F]+):/m.exec(shown.text) ?? []
  for (const args of [['--init'], ['--add', 'key.asc'], ['--lsign-key', fingerprint]]) {
    const { code, text } = await trust(...args)
    assert.equal(code, 0, text)
  }
  const options = [
    ['--config', configuration],
    ['--root', root],
    ['--dbpath', database],
    ['--cachedir', cache],
    ['--logfile', join(root, 'pacman.log')],
    ['--noconfirm'],
  ].flat()
  return { root, pacman: (...args: string[]) => runClient('pacman', [...args, ...options], root) }
}

test(
  'installs and updates with pacman, and rejects a tampered package and a tampered database',
  { skip },
  async () => {
    await publish('1.0.0')
    const { root, pacman } = await pacmanIn('pacman', service.url)
    const installed = await pacman('-Sy', 'harbor')
    assert.equal(installed.code, 0, installed.text)
    assert.equal(await readFile(join(root, 'usr/share/harbor/version'), 'utf8'), '1.0.0')
    await publish('1.10.0')
    const updated = await pacman('-Syu')
    assert.equal(updated.code, 0, updated.text)
    assert.equal(await readFile(join(root, 'usr/share/harbor/version'), 'utf8'), '1.10.0')
    const described = await pacman('-Si', 'harbor')
    assert.match(described.text, /^Description +: A harbor$/m)
    assert.match(described.text, /^Licenses +: MIT$/m)

    const { pacman: elsewhere } = await pacmanIn('tampered', tampered.url)
    tampered.change(/\.db$/)
    const database = await elsewhere('-Sy')
    assert.notEqual(database.code, 0, database.text)
    assert.match(database.text, /signature|invalid or corrupted database/i, database.text)
    tampered.change(/\.pkg\.tar\.zst$/)
    const refused = await elsewhere('-Sy', 'harbor')
    assert.notEqual(refused.code, 0, refused.text)
    assert.match(refused.text, /invalid or corrupted package/, refused.text)

    await publish('2.0.0', 'depend = harbor-missing')
    const blocked = await pacman('-Syu')
    assert.match(blocked.text, /unable to satisfy dependency 'harbor-missing'/)
  },
)

test(
  'gets the signature of the database that it has, although a version is published in between',
  { skip },
  async () => {
    await calls.send('PATCH', `/channels/${channel.id}`, { access: 'read_keys' })
    const { key } = (await calls.send('POST', `/channels/${channel.id}/read-keys`, { name: 'Acme' })).body
      .data
    const headers = { authorization: `Basic ${Buffer.from(`user:${key}`).toString('base64')}` }
    let beforeSignature = async () => {}
    const proxy = createServer((request, response) => {
      const { url = '' } = request
      void (async () => {
        if (url.endsWith('.db.sig')) await beforeSignature()
        const answer = await fetch(`${service.url}${url}`, {
          redirect: 'manual',
          headers: { accept: '*/*' },
        })
        const location = answer.headers.get('location')
        response
          .writeHead(answer.status, location === null ? {} : { location })
          .end(Buffer.from(await answer.arrayBuffer()))
      })().catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = proxy.address() as AddressInfo
      const { pathname } = new URL(channel.url)
      const { pacman } = await pacmanIn('key-in-path', `http://127.0.0.1:${port}`, `${pathname}/k/${key}`)
      let isPublished = false
      beforeSignature = async () => {
        if (isPublished) return
        isPublished = true
        await publish('10.0.0', '', headers)
      }
      const refreshed = await pacman('-Sy')
      assert.equal(refreshed.code, 0, refreshed.text)
      assert.ok(isPublished)
      assert.doesNotMatch((await pacman('-Si', 'harbor')).text, /: 10\.0\.0-1$/m)
      assert.equal((await pacman('-Syy')).code, 0)
      assert.match((await pacman('-Si', 'harbor')).text, /: 10\.0\.0-1$/m)
    } finally {
      proxy.closeAllConnections()
      proxy.close()
      await calls.send('PATCH', `/channels/${channel.id}`, { access: 'public' })
      await calls.readUntil(`${channel.url}/pacman/key.asc`, ({ status }) => status !== 401)
    }
  },
)

test('clients that trust only the previous repository key update until it retires', { skip }, async () => {
  const { pacman } = await pacmanIn('rotation', service.url)
  assert.equal((await pacman('-Syy')).code, 0)
  const rotated = await service.call('POST', '/workspace/repository-keys', {
    key: tenant.workspaceKey,
    body: { overlap_days: 30 },
  })
  assert.equal(rotated.status, 201, rotated.text)
  await publish('20.0.0')
  const refreshed = await pacman('-Syy')
  assert.equal(refreshed.code, 0, refreshed.text)
  assert.match((await pacman('-Si', 'harbor')).text, /^Version +: 20\.0\.0-1$/m)
})
