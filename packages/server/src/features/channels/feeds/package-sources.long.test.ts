import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { channelCalls, readFeed } from '../../../../test/channels.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { nupkgFile } from '../../../../test/inspection/archive-packages.ts'
import { missing } from '../../../../test/inspection/programs.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof channelCalls>
let folder: string

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'quayside-packages-'))
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

async function newApplication(): Promise<void> {
  tenant = await service.tenant({ platforms: ['linux', 'macos', 'windows', 'android', 'ios'] })
  calls = channelCalls(service, tenant)
}

/** Runs Git without the settings of the machine. */
async function git(...args: string[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  }
  return (await promisify(execFile)('git', args, { cwd: folder, env })).stdout
}

const uploadZip = (major: number): Promise<string> => {
  const filename = `harbor-${major}.0.0.zip`
  return calls.uploadVersion([major, 0, 0], {
    platform: 'windows',
    filename,
    bytes: Buffer.from(`zip ${major}`),
    artifacts: { [`${filename}.scoop.json`]: '{"bin":"harbor.exe"}' },
  })
}

/** Waits until the repository of a bucket has a version, as a clone would read it. */
const untilManifest = (url: string, version: string) =>
  calls.readUntil(`${url}/manifest.json`, ({ text }) => text.includes(`"version": "${version}"`))

test('clones a bucket with Git and pulls each change of it', { skip: missing('git') }, async () => {
  await newApplication()
  const channel = await calls.createChannel({ stream: 'default', formats: ['scoop'] })
  const url = `${channel.url}/scoop`
  const manifest = async () => {
    const path = join(folder, 'bucket', 'bucket')
    const [name = ''] = await readdir(path)
    return JSON.parse(await readFile(join(path, name), 'utf8')).version as string
  }
  await uploadZip(1)
  await untilManifest(url, '1.0.0')
  await git('clone', '-q', `${url}/bucket.git`, 'bucket')
  assert.equal(await manifest(), '1.0.0')
  await uploadZip(2)
  await untilManifest(url, '2.0.0')
  await git('-C', 'bucket', 'pull', '-q', '--ff-only')
  assert.equal(await manifest(), '2.0.0')
  const third = await uploadZip(3)
  await untilManifest(url, '3.0.0')
  await git('-C', 'bucket', 'pull', '-q', '--ff-only')
  const rollout = `/channels/${channel.id}/rollout`
  for (const [state, version] of [
    ['stopped', '2.0.0'],
    ['active', '3.0.0'],
    ['stopped', '2.0.0'],
  ] as const) {
    await calls.send('PATCH', rollout, { version: '3.0.0', state })
    await untilManifest(url, version)
    await git('-C', 'bucket', 'pull', '-q', '--ff-only')
    assert.equal(await manifest(), version)
  }
  await calls.send('PATCH', rollout, { version: '3.0.0', state: 'active', percentage: 100 })
  await calls.send('PATCH', rollout, { version: '2.0.0', state: 'stopped' })
  await untilManifest(url, '3.0.0')
  const deleted = await calls.send('DELETE', `/builds/${third}`)
  assert.ok(deleted.status < 300, deleted.text)
  await untilManifest(url, '1.0.0')
  await git('-C', 'bucket', 'pull', '-q', '--ff-only')
  assert.equal(await manifest(), '1.0.0')
  await uploadZip(4)
  await untilManifest(url, '4.0.0')
  await git('-C', 'bucket', 'pull', '-q', '--ff-only')
  assert.equal(await manifest(), '4.0.0')
  await git('-C', 'bucket', 'fsck', '--strict')
  assert.equal((await git('-C', 'bucket', 'log', '--format=%s')).trim().split('\n').at(-1), 'Publish 1.0.0')
})

test(
  'clones a private tap with a password or the key in the path only',
  { skip: missing('git') },
  async () => {
    await newApplication()
    const channel = await calls.createChannel({
      stream: 'default',
      formats: ['homebrew', 'gitea'],
      access: 'read_keys',
    })
    const { body } = await calls.send('POST', `/channels/${channel.id}/read-keys`, { name: 'Acme' })
    const { key, url } = body.data as { key: string; url: string }
    const filename = 'Harbor-1.0.0.dmg'
    await calls.uploadVersion([1, 0, 0], {
      platform: 'macos',
      filename,
      bytes: Buffer.from('image'),
      artifacts: { [`${filename}.cask.json`]: '{"app":"Harbor.app"}' },
    })
    await calls.readUntil(`${url}/homebrew/cask.rb`, ({ text }) => text.includes('version "1.0.0"'))
    await assert.rejects(git('clone', '-q', `${channel.url}/homebrew/tap.git`, 'anonymous'))
    const withPassword = channel.url.replace('://', `://acme:${key}@`)
    await git('clone', '-q', `${withPassword}/homebrew/tap.git`, 'password')
    await git('clone', '-q', `${url}/homebrew/tap.git`, 'path')
    const cask = async (name: string) => {
      const casks = join(folder, name, 'Casks')
      const [first = ''] = await readdir(casks)
      return readFile(join(casks, first), 'utf8')
    }
    assert.doesNotMatch(await cask('password'), new RegExp(key))
    const [, file = ''] = /url "([^"]+)"/.exec(await cask('path')) ?? []
    assert.equal((await readFeed(file)).status, 302)
    // Clients of Gitea send their token with a scheme of its own.
    const releases = `${channel.url}/gitea/api/v1/repos/a/b/releases`
    assert.equal((await readFeed(releases, { authorization: `token ${key}` })).status, 200)
    assert.equal((await readFeed(releases, { authorization: 'token wrong' })).status, 401)
  },
)

test(
  'continues the history after builds are purged, restored and renamed with their application',
  { skip: missing('git') },
  async () => {
    await newApplication()
    const channel = await calls.createChannel({ stream: 'default', formats: ['scoop'] })
    const url = `${channel.url}/scoop`
    const builds = [await uploadZip(1)]
    await untilManifest(url, '1.0.0')
    await git('clone', '-q', `${url}/bucket.git`, 'kept')
    const pull = async (version: string) => {
      await untilManifest(url, version)
      await git('-C', 'kept', 'pull', '-q', '--ff-only')
      const path = join(folder, 'kept', 'bucket')
      const [name = '', ...others] = await readdir(path)
      assert.deepEqual(others, [])
      const { version: found } = JSON.parse(await readFile(join(path, name), 'utf8')) as { version: string }
      assert.equal(found, version)
      return name
    }
    builds.push(await uploadZip(2))
    const before = await pull('2.0.0')
    assert.ok((await calls.send('DELETE', `/builds/${builds[1]}`)).status < 300)
    await pull('1.0.0')
    assert.ok((await calls.send('POST', `/builds/${builds[1]}/restore`)).status < 300)
    await pull('2.0.0')
    await service.deps.db.deleteFrom('builds').where('id', '=', builds[0]!).execute()
    const renamed = await service.call('PATCH', `/applications/${tenant.applicationId}`, {
      key: tenant.workspaceKey,
      body: { name: 'Compass' },
    })
    assert.equal(renamed.status, 200)
    await uploadZip(3)
    assert.equal(await pull('3.0.0'), 'compass.json')
    assert.notEqual(before, 'compass.json')
    await git('-C', 'kept', 'fsck', '--strict')
    assert.equal((await git('-C', 'kept', 'rev-list', '--count', 'HEAD')).trim(), '5')
    assert.equal((await readFeed(`${url}/bucket.git/objects/00/${'0'.repeat(38)}`)).status, 404)
  },
)

test('answers searches with POST, and only for formats that have them', async () => {
  await newApplication()
  const channel = await calls.createChannel({ stream: 'default', formats: ['winget', 'gitea'] })
  await calls.uploadVersion([2, 0, 0], {
    platform: 'windows',
    filename: 'harbor.exe',
    bytes: Buffer.from('program'),
    artifacts: { 'harbor.exe.winget.json': '{"PackageIdentifier":"Fabrikam.Harbor"}' },
  })
  await calls.readUntil(
    `${channel.url}/winget/packageManifests/Fabrikam.Harbor`,
    ({ status }) => status === 200,
  )
  const post = async (path: string, body: string) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${channel.url}/${path}`, { method: 'POST', headers, body })
    return { status: response.status, text: await response.text() }
  }
  const query = (KeyWord: string) => JSON.stringify({ Query: { KeyWord, MatchType: 'Substring' } })
  const found = await post('winget/manifestSearch', query('harbor'))
  assert.equal(found.status, 200)
  assert.equal(JSON.parse(found.text).Data[0].Versions[0].PackageVersion, '2.0.0')
  assert.equal((await post('winget/manifestSearch', query('dock'))).status, 204)
  assert.equal((await post('winget/manifestSearch', query('x'.repeat(20_000)))).status, 413)
  assert.equal((await post('winget/information', '{}')).status, 404)
  assert.equal((await post('gitea/api/v1/repos/a/b/releases', '{}')).status, 404)
  // Obtainium and Velopack know only the host.
  const { origin } = new URL(channel.url)
  const list = await readFeed(`${origin}/api/v1/repos/${channel.id}/harbor/releases?per_page=100`)
  const [release] = JSON.parse(list.text) as { assets: { name: string; browser_download_url: string }[] }[]
  const asset = release?.assets.find(({ name }) => name === 'harbor.exe')
  assert.equal((await readFeed(asset?.browser_download_url ?? '')).status, 302)
  assert.equal((await readFeed(`${origin}/api/v1/repos/2222222222/harbor/releases`)).status, 404)
})

test('serves a NuGet package by what the inspection reads from it', async () => {
  await newApplication()
  const channel = await calls.createChannel({ stream: 'default', formats: ['nuget'] })
  const bytes = nupkgFile(Buffer.from('icon'))
  await calls.uploadVersion([2, 0, 0], { platform: 'windows', filename: 'quay.nupkg', bytes })
  const url = `${channel.url}/nuget`
  const { text } = await calls.readUntil(
    `${url}/registration/example.quay/index.json`,
    ({ status }) => status === 200,
    { withinMs: 20_000 },
  )
  const [leaf] = JSON.parse(text).items[0].items
  assert.equal(leaf.catalogEntry.version, '1.2.3-rc.1')
  for (const file of [
    `${url}/flat/example.quay/1.2.3-rc.1/example.quay.1.2.3-rc.1.nupkg`,
    leaf.packageContent as string,
  ]) {
    const downloaded = Buffer.from(await (await fetch(file)).arrayBuffer())
    assert.ok(downloaded.equals(bytes), file)
  }
})
