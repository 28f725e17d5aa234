import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, existsSync, globSync, readdirSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createClient, expectOk, type Client } from './client.ts'
import { content, sha256 } from './content.ts'
import { freePort } from './free-port.ts'
import { prepareService, repository, type Service } from './npm-start.ts'
import { reasonToSkipProxies, startCaddy, startNginx, userId, type Proxy } from './proxies.ts'
import { folderOnly, storesInS3 } from './test-storage.ts'
import { hashOfContent, largeRange } from './transfer.ts'
import { until } from './until.ts'

const program = join(repository, 'packages/cli/bin/quayside.js')
const mib = 1024 * 1024
/** A file of more than 100 MB that is below the threshold for parts, so it is uploaded with one PUT. */
const single = describeFile('single-1.0.0.tar.gz', { seed: 1, sizeBytes: 96 * mib, files: 1 })
/** A file at the threshold, so it is uploaded in parts of 16 MiB. */
const parts = describeFile('parts-1.0.0.tar.gz', { seed: 2, sizeBytes: 97 * mib, files: 7 })

type File = ReturnType<typeof describeFile>

function describeFile(name: string, file: { seed: number; sizeBytes: number; files: number }) {
  return { name, ...file, hash: hashOfContent(file.seed, 0, file.sizeBytes) }
}

async function hashOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

describe('behind a reverse proxy', { skip: reasonToSkipProxies() }, () => {
  let service: Service
  let folder: string
  let publicUrl: string
  let addresses: Parameters<typeof startNginx>[0]
  let client: Client
  let applicationId: string
  let proxy: Proxy | undefined
  let nginx: Awaited<ReturnType<typeof startNginx>>
  /** IDs of the builds that were uploaded through nginx. */
  let builds: { single: string; parts: string }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quayside-proxy-'))
    for (const { name, seed, sizeBytes } of [single, parts])
      await writeFile(join(folder, name), content(seed, 0, sizeBytes))
    const [https, http] = [await freePort(), await freePort()]
    publicUrl = `https://localhost:${https}`
    service = await prepareService({
      settings: {
        QUAYSIDE_PUBLIC_URL: publicUrl,
        QUAYSIDE_TRUSTED_PROXIES: '127.0.0.1, ::1',
        QUAYSIDE_CHUNK_THRESHOLD_MB: '97',
      },
    })
    addresses = { service: service.port, https, http, dataDir: service.dataDir }
    client = createClient({ url: publicUrl, key: service.key })
    await service.start()
    applicationId = expectOk(await service.client.createApplication('Behind a proxy')).data.id
  })
  after(async () => {
    await proxy?.stop()
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  /** Replaces the proxy at the public URL. */
  async function use<P extends Proxy>(start: (addresses: Parameters<typeof startNginx>[0]) => Promise<P>) {
    await proxy?.stop()
    const started = await start(addresses)
    proxy = started
    setDefaultCACertificates([...getCACertificates('bundled'), started.certificate])
    await writeFile(join(folder, 'ca.pem'), started.certificate)
    return started
  }

  async function restartWith(settings: Record<string, string>): Promise<void> {
    await service.stop()
    Object.assign(service.environment, settings)
    await service.start()
  }

  /** Runs the CLI with the public URL. */
  async function quayside(...args: string[]) {
    const child = spawn(process.execPath, [program, ...args, '--json'], {
      cwd: folder,
      env: {
        ...service.environment,
        HOME: folder,
        NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
        QUAYSIDE_SERVER: publicUrl,
        QUAYSIDE_API_KEY: service.key,
        QUAYSIDE_APPLICATION: applicationId,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, ...output }
  }

  async function upload(name: string): Promise<string> {
    const { code, stdout, stderr } = await quayside('upload', name, '--platform', 'linux', '--no-reuse')
    assert.equal(code, 0, stderr)
    return (JSON.parse(stdout) as { build_id: string }).build_id
  }

  async function downloadUrl(buildId: string): Promise<string> {
    return expectOk(await client.download(applicationId, buildId)).primary_file.temp_url
  }

  async function expectDownload(buildId: string, { sizeBytes, hash }: File): Promise<Response> {
    const response = await fetch(await downloadUrl(buildId))
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-length'), String(sizeBytes))
    assert.ok(response.body)
    assert.equal(await hashOf(response.body), hash)
    return response
  }

  /** Asserts that a range has the correct bytes. If the file was uploaded in parts, the range spans two of them. */
  async function expectRange(url: string, { seed }: File, headers: Record<string, string> = {}) {
    const [start, length] = [16 * mib - 1024, 2048]
    const range = `bytes=${start}-${start + length - 1}`
    const response = await fetch(url, { headers: { range, ...headers } })
    assert.equal(response.status, 206)
    assert.equal(sha256(await response.bytes()), hashOfContent(seed, start, length))
    return response
  }

  /** Returns the paths of stored files of builds, grouped by object. A job stores chunk indexes, which are smaller. */
  function storedFiles(): string[][] {
    const objects = globSync(join(service.dataDir, 'storage/objects/*/*')).map((object) =>
      readdirSync(object).map((name) => join(object, name)),
    )
    return objects.filter((paths) => paths.some((path) => statSync(path).size >= mib))
  }

  for (const [name, start] of [
    ['Caddy', startCaddy],
    ['nginx', startNginx],
  ] as const)
    test(`uploads and downloads builds of more than 100 MB through ${name}`, async () => {
      await use(start)
      const known = storedFiles().length
      builds = { single: await upload(single.name), parts: await upload(parts.name) }
      const files = storedFiles()
      if (!storesInS3) assert.equal(files.length, known + 2)
      for (const { files: count } of storesInS3 ? [] : [single, parts])
        assert.equal(files.filter((object) => object.length === count).length, known / 2 + 1)
      assert.ok((await downloadUrl(builds.single)).startsWith(`${publicUrl}/storage/`))
      await expectRange(await downloadUrl(builds.single), single)
      await expectRange(await downloadUrl(builds.parts), parts)
      await expectDownload(builds.parts, parts)
      const updated = await fetch(await downloadUrl(builds.single), { headers: { range: largeRange } })
      assert.equal((await updated.bytes()).length, 10)
      const plain = await fetch(`http://localhost:${addresses.http}/docs`, { redirect: 'manual' })
      assert.equal(plain.status, 308)
      assert.match(plain.headers.get('location') ?? '', /^https:\/\/localhost(:\d+)?\/docs$/)
      await expectClientAddress('127.0.0.2', { 'x-forwarded-for': '203.0.113.9' })
    })

  /** Requests a download from a loopback address and asserts that the service records that address. */
  async function expectClientAddress(localAddress: string, headers: Record<string, string>): Promise<void> {
    const path = `/applications/${applicationId}/builds/${builds.single}`
    const sent = request({
      host: '127.0.0.1',
      port: addresses.https,
      servername: 'localhost',
      localAddress,
      agent: false,
      path: `/api/v1${path}/download`,
      headers: { host: new URL(publicUrl).host, authorization: `Bearer ${service.key}`, ...headers },
    }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    assert.equal(response.resume().statusCode, 200)
    const { data } = expectOk(await client.call<{ data: { address: string }[] }>('GET', `${path}/downloads`))
    assert.ok(data.some(({ address }) => address === localAddress))
    assert.ok(data.every(({ address }) => address.startsWith('127.') || address === '::1'))
  }

  test('names the nginx setting to change when the default limit rejects an upload', folderOnly, async () => {
    nginx = await use(startNginx)
    await writeFile(join(folder, 'small-1.0.0.tar.gz'), content(3, 0, 2 * mib))
    await nginx.reconfigure((text) => text.replace('client_max_body_size 0;', ''))
    const body = Buffer.alloc(2 * mib)
    const status = () =>
      fetch(`${publicUrl}/storage/`, { method: 'PUT', body }).then(
        (response) => response.status,
        () => undefined,
      )
    const everyMs = 100
    await until('the limit is in effect', async () => (await status()) === 413, { everyMs })
    const { code, stdout, stderr } = await quayside('upload', 'small-1.0.0.tar.gz', '--platform', 'linux')
    assert.equal(code, 1)
    assert.match(stdout + stderr, /HTTP 413\..* In nginx, set client_max_body_size to 0\./)
    await nginx.reconfigure((text) => text)
    await until('the limit is not in effect', async () => (await status()) === 403, { everyMs })
  })

  test('lets nginx serve single-part files as www-data, but not multipart files', folderOnly, async () => {
    await restartWith({
      QUAYSIDE_ACCEL_REDIRECT_PREFIX: '/internal',
      QUAYSIDE_STORAGE_GROUP: 'www-data',
    })
    const url = await downloadUrl(builds.single)
    const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? ''
    const direct = Object.fromEntries(
      (await fetch(url.replace(publicUrl, service.url), { method: 'HEAD' })).headers,
    )
    const sent = await expectDownload(builds.single, single)
    // Only nginx sends Last-Modified, so the header shows which server sent the file.
    assert.notEqual(sent.headers.get('last-modified'), null)
    const ignored = new Set(['connection', 'date', 'keep-alive', 'last-modified', 'server'])
    const comparable = (headers: object) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !ignored.has(name)))
    assert.deepEqual(comparable(Object.fromEntries(sent.headers)), comparable(direct))

    await expectRange(url, single)
    await expectRange(url, single, { 'if-range': etag })
    await expectRange(url, single, { 'if-match': etag })
    const table: [Record<string, string>, number][] = [
      [{ range: 'bytes=0-9', 'if-range': '"other"' }, 200],
      [{ range: 'bytes=0-1,4-5' }, 206],
      [{ range: `bytes=${single.sizeBytes}-` }, 416],
      [{ 'if-none-match': etag }, 304],
      [{ 'if-match': '"other"' }, 412],
    ]
    for (const [headers, status] of table) {
      const response = await fetch(url, { headers })
      assert.equal(response.status, status, JSON.stringify(headers))
      await response.body?.cancel()
    }

    const inParts = await expectRange(await downloadUrl(builds.parts), parts)
    assert.equal(inParts.headers.get('last-modified'), null)
    const { code, stderr } = await quayside('download', builds.parts, '--output', 'parts.tar.gz')
    assert.equal(code, 0, stderr)
    assert.equal(await hashOf(createReadStream(join(folder, 'parts.tar.gz'))), parts.hash)
  })

  test('lets www-data read only files that have been downloaded', folderOnly, async () => {
    const stored = storedFiles().flat()
    const readable = readableBy('www-data', stored)
    assert.equal(readable.length, 1)
    const path = readable[0] ?? ''
    const closed = [
      'secret',
      'postgres',
      'postgres.log',
      'postgres.json',
      'postgres/PG_VERSION',
      'instance.lock',
      '',
      'storage',
      'storage/installation-id',
      'storage/objects',
      'storage/staging',
      'storage/tmp',
    ].map((name) => join(service.dataDir, name))
    for (const name of closed) assert.ok(existsSync(name), name)
    assert.deepEqual(readableBy('www-data', [...closed, dirname(path)]), [])

    const internal = `/internal/${path.slice(join(service.dataDir, 'storage/').length)}`
    assert.equal((await fetch(`${publicUrl}${internal}`)).status, 404)
  })

  /** Returns the files that a user can read and the folders that the user can list. */
  function readableBy(user: string, paths: string[]): string[] {
    const [uid, script] = [userId(user), 'for path; do [ -r "$path" ] && echo "$path"; done']
    const { stdout } = spawnSync('sh', ['-c', script, 'sh', ...paths], { uid, gid: uid, encoding: 'utf8' })
    return stdout.split('\n').filter((line) => line !== '')
  }

  test('accepts a prefix with a trailing slash', folderOnly, async () => {
    await restartWith({ QUAYSIDE_ACCEL_REDIRECT_PREFIX: '/internal/' })
    const { headers } = await expectRange(await downloadUrl(builds.single), single)
    assert.notEqual(headers.get('last-modified'), null)
  })
})

test('shows the tested configurations in docs/reverse-proxy.md', async () => {
  const page = await readFile(join(repository, 'docs/reverse-proxy.md'), 'utf8')
  for (const file of ['nginx/quayside.conf', 'caddy/Caddyfile']) {
    const sample = await readFile(join(repository, 'deploy', file), 'utf8')
    assert.ok(page.includes(`\n${sample.trim()}\n\`\`\``), file)
  }
})
