import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { channelCalls, readFeed } from '../../../../test/channels.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
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
  await calls.send('PATCH', `/channels/${channel.id}/rollout`, { version: '2.0.0', state: 'stopped' })
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
