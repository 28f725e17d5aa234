import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isInstalled, toolPath } from '../../../../../../scripts/tools/tool-sets.ts'
import { channelCalls, readFeed } from '../../../../test/channels.ts'
import { startService, type Service } from '../../../../test/harness.ts'

let service: Service
let folder: string

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'quayside-velopack-'))
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

type Release = { Version: string; FileName: string; NotesMarkdown: string; SHA256: string; Size: number }
type Update = { TargetFullRelease: Release }
type Velopack = {
  setVelopackLogger: (log: () => void) => void
  UpdateManager: new (
    url: string,
    options: object,
    locator: object,
  ) => {
    checkForUpdatesAsync: () => Promise<Update | null>
    downloadUpdateAsync: (update: Update) => Promise<void>
  }
}

/** Loads the library of Velopack, which is native. */
function loadVelopack(): Velopack | string {
  if (!isInstalled('updaters')) return '`npm run install-tools` installs velopack'
  try {
    const loaded = createRequire(import.meta.url)(toolPath('updaters', 'velopack')) as Velopack
    loaded.setVelopackLogger(() => {})
    return loaded
  } catch (error) {
    return `velopack does not run here: ${(error as Error).message}`
  }
}

const velopack = loadVelopack()

/**
 * Returns whether velopack@af838495 accepts a package (UpdateManager.cs, VerifyPackageChecksum). The library for Node 0.0.1053,
 * the newest that runs on Debian 12, does not compare checksums.
 */
const isAcceptable = ({ SHA256, Size }: Release, bytes: Buffer): boolean =>
  bytes.length === Size && createHash('sha256').update(bytes).digest('hex').toUpperCase() === SHA256

/** Creates an installed copy that updates itself from a URL. */
async function install(name: string, { version, url }: { version: string; url: string }) {
  if (typeof velopack === 'string') return assert.fail(velopack)
  const root = join(folder, name)
  const [packages, current] = [join(root, 'packages'), join(root, 'current')]
  for (const path of [packages, current]) await mkdir(path, { recursive: true })
  const manifest = join(current, 'sq.version')
  const metadata = `<id>Harbor</id><title>Harbor</title><version>${version}</version><channel>linux</channel><mainExe>harbor</mainExe><os>linux</os>`
  await writeFile(manifest, `<?xml version="1.0"?><package><metadata>${metadata}</metadata></package>`)
  await writeFile(join(root, 'UpdateNix'), '#!/bin/sh\n', { mode: 0o755 })
  const manager = new velopack.UpdateManager(
    url,
    { AllowVersionDowngrade: false, ExplicitChannel: null },
    {
      RootAppDir: root,
      UpdateExePath: join(root, 'UpdateNix'),
      PackagesDir: packages,
      ManifestPath: manifest,
      CurrentBinaryDir: current,
      IsPortable: false,
    },
  )
  const listPackages = async () => (await readdir(packages)).filter((file) => file.endsWith('.nupkg'))
  return {
    check: () => manager.checkForUpdatesAsync(),
    async download(update: Update): Promise<Buffer[]> {
      await manager.downloadUpdateAsync(update)
      return Promise.all((await listPackages()).map((file) => readFile(join(packages, file))))
    },
    listPackages,
  }
}

test(
  'updates with the library of Velopack, which gets the checksum of the package',
  { skip: typeof velopack === 'string' && velopack },
  async () => {
    const calls = channelCalls(service, await service.tenant({ platforms: ['linux'] }))
    const channel = await calls.createChannel({ stream: 'default', formats: ['velopack'] })
    const url = `${channel.url}/velopack`
    const upload = async (major: number) => {
      const bytes = randomBytes(50_000)
      const filename = `Harbor-${major}.0.0-linux-full.nupkg`
      await calls.uploadVersion([major, 0, 0], { filename, bytes, notes: `Version ${major}` })
      await calls.readUntil(`${url}/releases.linux.json`, ({ text }) => text.includes(`"${major}.0.0"`))
      return bytes
    }
    await upload(1)
    const copy = await install('copy', { version: '1.0.0', url })
    assert.equal(await copy.check(), null)
    const next = await upload(2)
    const update = (await copy.check()) ?? assert.fail('no update')
    assert.deepEqual(
      [update.TargetFullRelease.Version, update.TargetFullRelease.NotesMarkdown],
      ['2.0.0', 'Version 2'],
    )
    const [downloaded, ...others] = await copy.download(update)
    assert.ok(downloaded?.equals(next))
    assert.deepEqual(others, [])

    const stated = update.TargetFullRelease
    assert.equal(isAcceptable(stated, next), true)
    assert.equal(isAcceptable(stated, Buffer.concat([next.subarray(1), Buffer.alloc(1)])), false)
    const stop = { version: '2.0.0', state: 'stopped' }
    await calls.send('PATCH', `/channels/${channel.id}/rollout`, stop)
    await calls.readUntil(`${url}/releases.linux.json`, ({ text }) => !text.includes('2.0.0'))
    assert.equal(await (await install('late', { version: '1.0.0', url })).check(), null)
  },
)

type Asset = { Version: string; Type: 'Full' | 'Delta'; FileName: string; Size: number }

/**
 * Chooses packages as velopack@af838495 does (UpdateManager.cs, CheckForUpdatesAsync and DownloadUpdatesAsync): the deltas
 * above the installed version in their order, unless there are more than ten or they are larger than the complete package.
 */
function choosePackages(assets: readonly Asset[], installed: string): Asset[] {
  const order = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })
  const full = assets.filter(({ Type }) => Type === 'Full').toSorted((a, b) => order(b.Version, a.Version))[0]
  if (full === undefined || order(full.Version, installed) <= 0) return []
  const deltas = assets
    .filter(
      ({ Type, Version }) =>
        Type === 'Delta' && order(Version, installed) > 0 && order(Version, full.Version) <= 0,
    )
    .toSorted((a, b) => order(a.Version, b.Version))
  const deltaBytes = deltas.reduce((sum, { Size }) => sum + Size, 0)
  return deltas.length === 0 || deltas.length > 10 || deltaBytes > full.Size ? [full] : deltas
}

test('names the deltas that a client of Velopack chooses', async () => {
  const calls = channelCalls(service, await service.tenant({ platforms: ['windows'] }))
  const channel = await calls.createChannel({ stream: 'default', formats: ['velopack'] })
  const delta = (major: number) => Buffer.alloc(100, `delta ${major}`)
  for (const major of [1, 2, 3])
    await calls.uploadVersion([major, 0, 0], {
      platform: 'windows',
      filename: `Harbor-${major}.0.0-full.nupkg`,
      bytes: Buffer.alloc(1_000, `full ${major}`),
      artifacts: major === 1 ? {} : { [`Harbor-${major}.0.0-delta.nupkg`]: delta(major) },
    })
  const feed = `${channel.url}/velopack/releases.win.json`
  const { text } = await calls.readUntil(feed, ({ text: body }) => body.includes('3.0.0'))
  const { Assets } = JSON.parse(text) as { Assets: Asset[] }
  const chosen = choosePackages(Assets, '1.0.0')
  assert.deepEqual(
    chosen.map(({ Version, Type }) => [Version, Type]),
    [
      ['2.0.0', 'Delta'],
      ['3.0.0', 'Delta'],
    ],
  )
  for (const [index, { FileName }] of chosen.entries()) {
    assert.doesNotMatch(FileName, /\//)
    const { headers } = await readFeed(`${channel.url}/velopack/${FileName}`)
    const file = await fetch(headers.get('location') ?? '')
    assert.ok(Buffer.from(await file.arrayBuffer()).equals(delta(index + 2)))
  }
  assert.deepEqual(choosePackages(Assets, '3.0.0'), [])
  assert.equal(
    choosePackages(
      Assets.filter(({ Type }) => Type === 'Full'),
      '1.0.0',
    )[0]?.Version,
    '3.0.0',
  )
})
