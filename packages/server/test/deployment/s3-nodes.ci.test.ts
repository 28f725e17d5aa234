import assert from 'node:assert/strict'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import pg from 'pg'
import { createClient, expectOk } from '../acceptance/client.ts'
import { content, sha256 } from '../acceptance/content.ts'
import { freePort } from '../acceptance/free-port.ts'
import { reasonToSkipProxies, startComposeCaddy, type Proxy } from '../acceptance/proxies.ts'
import { missingS3Server, sharedS3Server } from '../s3-server.ts'
import { until } from '../until.ts'
import { filledIn, interpolate, quaysideServices } from './compose-file.ts'
import { repository } from './deploy-files.ts'

const skip = missingS3Server || reasonToSkipProxies()
const database = `compose_${process.pid}`
const key = 'bootstrap-key-of-the-deployment-tests'
const sizeBytes = 20 * 1024 * 1024

/** The test replaces the addresses of the containers, and leaves all other settings as they are. */
describe('the nodes of compose.yaml with PostgreSQL, S3 and Caddy', { skip }, () => {
  const nodes = new Map<string, ChildProcess>()
  const ports: Record<string, number> = {}
  let folder: string
  let publicUrl: string
  let proxy: Proxy
  let release: () => Promise<void>
  let administration: pg.Client

  /** Returns the settings of a service, with the addresses of this test. */
  function settingsOf(name: string, changes: Record<string, string>): Record<string, string> {
    const [, service] = quaysideServices.find(([candidate]) => candidate === name) ?? []
    const settings = Object.entries(service?.environment ?? {}).map(([variable, value]) => [
      variable,
      interpolate(value, filledIn),
    ])
    return {
      PATH: `${join(repository, 'node_modules/.bin')}:${process.env['PATH']}`,
      ...(Object.fromEntries(settings) as Record<string, string>),
      ...changes,
    }
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quayside-compose-'))
    const connection = JSON.parse(process.env['QUAYSIDE_TEST_POSTGRES'] ?? '{}') as pg.ClientConfig
    administration = new pg.Client(connection)
    await administration.connect()
    await administration.query(`create database ${database}`)
    const s3 = await sharedS3Server()
    release = s3.release
    const [https, http] = [await freePort(), await freePort()]
    publicUrl = `https://localhost:${https}`
    const parameters = new URLSearchParams({ host: String(connection.host), port: String(connection.port) })
    const changes = {
      DATABASE_URL: `postgres://${connection.user}@localhost/${database}?${parameters.toString()}`,
      QUAYSIDE_HOST: '127.0.0.1',
      QUAYSIDE_PUBLIC_URL: publicUrl,
      QUAYSIDE_TRUSTED_PROXIES: '127.0.0.1',
      QUAYSIDE_BOOTSTRAP_KEY: key,
      QUAYSIDE_S3_BUCKET: database.replace('_', '-'),
      QUAYSIDE_S3_ENDPOINT: s3.server.endpoint,
      QUAYSIDE_S3_PUBLIC_ENDPOINT: `https://127.0.0.2:${https}`,
      QUAYSIDE_S3_ACCESS_KEY_ID: s3.server.accessKeyId,
      QUAYSIDE_S3_SECRET_ACCESS_KEY: s3.server.secretAccessKey,
    }
    for (const [name] of quaysideServices) ports[name] = await freePort()
    proxy = await startComposeCaddy({
      upstreams: {
        'api-1:4400': `127.0.0.1:${ports['api-1']}`,
        'api-2:4400': `127.0.0.1:${ports['api-2']}`,
        's3:8333': new URL(s3.server.endpoint).host,
      },
      hostnames: { QUAYSIDE_HOSTNAME: publicUrl, S3_HOSTNAME: changes.QUAYSIDE_S3_PUBLIC_ENDPOINT },
      https,
      http,
    })
    const authority = join(folder, 'ca.pem')
    await writeFile(authority, proxy.certificate)
    setDefaultCACertificates([...getCACertificates('bundled'), proxy.certificate])
    for (const [name, { command = ['quayside-server'] }] of quaysideServices) {
      const own = { QUAYSIDE_PORT: String(ports[name]), QUAYSIDE_DATA_DIR: join(folder, name) }
      const env = settingsOf(name, { ...changes, ...own, NODE_EXTRA_CA_CERTS: authority })
      const [program = '', ...args] = command
      if (name === 'storage-setup') {
        const { stdout } = await promisify(execFile)(program, args, { env })
        assert.match(stdout, /The bucket is ready\./)
      } else {
        nodes.set(name, spawn(program, args, { env, stdio: 'ignore' }))
      }
    }
    const urls = [publicUrl, ...[...nodes.keys()].map((name) => `http://127.0.0.1:${ports[name]}`)]
    for (const url of urls)
      await until(`${url} is ready`, () => isReady(url), { withinMs: 60_000, everyMs: 100 })
  })
  after(async () => {
    await proxy?.stop()
    for (const node of nodes.values()) await kill(node, 'SIGTERM')
    await administration?.query(`drop database if exists ${database} with (force)`)
    await administration?.end()
    await release?.()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  const isReady = (url: string) =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  async function kill(node: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    if (node.exitCode !== null || node.signalCode !== null) return
    const exited = once(node, 'exit')
    node.kill(signal)
    await exited
  }

  test('stores and serves a build through the proxy, and continues after a node is killed', async () => {
    const client = createClient({ url: publicUrl, key })
    const applicationId = expectOk(await client.createApplication('Compose')).data.id
    const bytes = content(1, 0, sizeBytes)
    const primary_file = { filename: 'large.bin', size_bytes: sizeBytes }
    const upload = expectOk(await client.request(applicationId, { primary_file }))
    const { url, headers } = upload.primary_file.presigned_data
    assert.equal(new URL(url).hostname, '127.0.0.2')
    const stored = await fetch(url, { method: 'PUT', headers, body: bytes })
    assert.equal(stored.status, 200, await stored.text())
    const { build_id: id } = expectOk(await client.verify(upload.pending_upload_id))

    const expectFile = async () => {
      const { primary_file: file } = expectOk(await client.download(applicationId, id))
      assert.equal(sha256(await (await fetch(file.temp_url)).bytes()), sha256(bytes))
    }
    await expectFile()
    const killed = nodes.get('api-1')
    assert.ok(killed)
    await kill(killed, 'SIGKILL')
    for (let count = 0; count < 20; count++)
      expectOk(await client.call('GET', `/applications/${applicationId}/builds`))
    await expectFile()
    // Only the worker computes checksums in the background.
    const path = `/applications/${applicationId}/builds/${id}`
    await until('the worker has computed the checksum', async () => {
      const { body } = await client.call<{ data: { primary_file: { checksum_sha256: string | null } } }>(
        'GET',
        path,
      )
      return body.data.primary_file.checksum_sha256 === sha256(bytes)
    })
  })
})
