import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import {
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { isInstalled, toolPath } from '../../../../../../scripts/tools/tool-sets.ts'
import { channelCalls, readFeed } from '../../../../test/channels.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof channelCalls>
let folder: string

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'quayside-updaters-'))
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

async function newApplication(): Promise<void> {
  tenant = await service.tenant({ platforms: ['linux', 'macos', 'windows'] })
  calls = channelCalls(service, tenant)
}

const blockBytes = 16 * 1024

/** Returns a block map as electron-builder writes it, with blocks of the same size. */
function blockMap(bytes: Buffer): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes.length / blockBytes) }, (_, index) =>
    bytes.subarray(index * blockBytes, (index + 1) * blockBytes),
  )
  const checksums = blocks.map((block) =>
    createHash('blake2b512').update(block).digest().subarray(0, 18).toString('base64'),
  )
  const sizes = blocks.map(({ length }) => length)
  return gzipSync(JSON.stringify({ version: '2', files: [{ name: 'file', offset: 0, checksums, sizes }] }))
}

type Updater = {
  logger: object
  httpExecutor: object
  _testOnlyOptions: object
  autoDownload: boolean
  setFeedURL: (options: object) => void
  checkForUpdates: () => Promise<{ updateInfo: { version: string } }>
  downloadUpdate: () => Promise<string[]>
}

type Sent = { path: string; bytes: number }

type DownloadOptions = {
  headers: Record<string, string>
  cancellationToken: {
    createPromise: (
      start: (resolve: (path: string) => void, reject: (error: Error) => void, onCancel: unknown) => void,
    ) => Promise<string>
  }
}
type Runtime = {
  HttpExecutor: new () => { doDownload: (request: object, download: object, redirects: number) => void }
  configureRequestUrl: (url: URL, request: object) => void
  configureRequestOptions: (request: object) => void
}

/** Follows redirects in `createRequest`, as the network stack of Electron does. `download` is that of Electron. */
function createExecutor(
  { HttpExecutor, configureRequestUrl, configureRequestOptions }: Runtime,
  sent: Sent[],
) {
  return new (class extends HttpExecutor {
    download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
      return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
        const request = { headers: options.headers }
        configureRequestUrl(url, request)
        configureRequestOptions(request)
        const callback = (error?: Error | null) => (error ? reject(error) : resolve(destination))
        this.doDownload(request, { destination, options, onCancel, callback, responseHandler: null }, 0)
      })
    }
    createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest {
      const first = httpRequest(options, (response) => {
        const { location } = response.headers
        if (response.statusCode !== 302 || location === undefined)
          return receive(options.path ?? '', response)
        response.resume()
        const url = new URL(location)
        const sentHeaders = Object.entries(options.headers ?? {}).filter(
          ([name]) => name.toLowerCase() !== 'host',
        )
        httpRequest(url, { headers: Object.fromEntries(sentHeaders) }, (target) =>
          receive(url.pathname, target),
        )
          .on('error', (error) => first.emit('error', error))
          .end()
      })
      const receive = (path: string, response: IncomingMessage) => {
        const entry = { path, bytes: 0 }
        sent.push(entry)
        response.on('data', (chunk: Buffer) => (entry.bytes += chunk.length))
        callback(response)
      }
      return first
    }
  })()
}

const skipsElectron = !isInstalled('updaters') && '`npm run install-tools` installs electron-updater'

test('updates with electron-updater, complete and by changed blocks', { skip: skipsElectron }, async () => {
  await newApplication()
  const require = createRequire(import.meta.url)
  const { NsisUpdater } = require(toolPath('updaters', 'electron-updater/out/NsisUpdater.js')) as {
    NsisUpdater: new (options: null, app: object) => Updater
  }
  const runtime = require(toolPath('updaters', 'builder-util-runtime/out/index.js')) as Runtime
  Object.defineProperty(process, 'resourcesPath', { value: folder, configurable: true })
  const old = randomBytes(400 * blockBytes)
  const next = Buffer.from(old)
  for (let block = 5; block < 400; block += 40) randomBytes(blockBytes).copy(next, block * blockBytes)
  const channel = await calls.createChannel({ stream: 'default', formats: ['electron'] })
  const upload = (major: number, bytes: Buffer) => {
    const filename = `Harbor-Setup-${major}.0.0.exe`
    return calls.uploadVersion([major, 0, 0], {
      platform: 'windows',
      filename,
      bytes,
      artifacts: { [`${filename}.blockmap`]: blockMap(bytes) },
    })
  }
  await upload(1, old)
  const update = async (name: string, version: string, installer?: Buffer) => {
    const cache = join(folder, name)
    await mkdir(join(cache, 'app-updater'), { recursive: true })
    if (installer !== undefined) await writeFile(join(cache, 'app-updater', 'installer.exe'), installer)
    const sent: Sent[] = []
    const app = {
      version,
      name: 'app',
      isPackaged: true,
      appUpdateConfigPath: join(cache, 'app-update.yml'),
      userDataPath: cache,
      baseCachePath: cache,
      whenReady: async () => {},
      onQuit: () => {},
    }
    await writeFile(app.appUpdateConfigPath, 'provider: generic\nupdaterCacheDirName: app-updater\n')
    const updater = new NsisUpdater(null, app)
    const errors: string[] = []
    const ignore = () => {}
    updater.logger = {
      info: ignore,
      warn: ignore,
      debug: ignore,
      error: (text: unknown) => errors.push(String(text)),
    }
    updater.httpExecutor = createExecutor(runtime, sent)
    updater._testOnlyOptions = { platform: 'win32', isUseDifferentialDownload: installer !== undefined }
    updater.setFeedURL({ provider: 'generic', url: `${channel.url}/electron` })
    updater.autoDownload = false
    const result = await updater.checkForUpdates()
    if (result.updateInfo.version === version) return { sent, errors }
    const [path] = await updater.downloadUpdate()
    return { sent, errors, bytes: await readFile(path ?? assert.fail('no file')) }
  }
  await calls.readUntil(`${channel.url}/electron/latest.yml`, ({ text }) => text.includes('1.0.0'))
  assert.equal((await update('current', '1.0.0')).bytes, undefined)
  const complete = await update('complete', '0.9.0')
  assert.ok(complete.bytes?.equals(old))
  await upload(2, next)
  await calls.readUntil(`${channel.url}/electron/latest.yml`, ({ text }) => text.includes('2.0.0'))
  const differential = await update('differential', '1.0.0', old)
  assert.deepEqual(differential.errors, [])
  assert.ok(differential.bytes?.equals(next))
  const ofFile = differential.sent.filter(({ path, bytes }) => path.startsWith('/storage/') && bytes > 20_000)
  const received = ofFile.reduce((sum, { bytes }) => sum + bytes, 0)
  assert.ok(received <= next.length * 0.05, `${received} of ${next.length} bytes`)
  await calls.send('PATCH', `/channels/${channel.id}/rollout`, { version: '2.0.0', percentage: 0 })
  await calls.readUntil(`${channel.url}/electron/latest.yml`, ({ text }) => text.includes('1.0.0'))
  assert.equal((await update('waiting', '1.0.0', old)).bytes, undefined)
})

test('serves the channel file of electron-builder byte for byte, with its file names', async () => {
  await newApplication()
  const channel = await calls.createChannel({ stream: 'default', formats: ['electron'] })
  const yml =
    "version: 1.0.0\nfiles:\n  - url: Harbor-1.0.0.AppImage\n    sha512: x\n    size: 3\n    blockMapSize: 1\npath: Harbor-1.0.0.AppImage\nreleaseDate: '2026-11-21'\n"
  const filename = 'Harbor-1.0.0.AppImage'
  await calls.uploadVersion([1, 0, 0], {
    filename,
    bytes: Buffer.from('abc'),
    artifacts: { 'latest-linux.yml': yml },
  })
  const { text } = await calls.readUntil(
    `${channel.url}/electron/latest-linux.yml`,
    ({ status }) => status === 200,
  )
  assert.equal(text, yml)
  assert.equal((await readFeed(`${channel.url}/electron/${filename}`)).status, 302)
  assert.equal((await readFeed(`${channel.url}/electron/latest-mac.yml`)).status, 404)
})
