import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { freePort } from './acceptance/free-port.ts'
import { storageUrl, storesInS3 } from './acceptance/test-storage.ts'
import { runAdmin } from './admin.ts'
import { startOwnService, type Service } from './harness.ts'
import { startSmtpServer } from './smtp-server.ts'
import { until } from './until.ts'

let service: Service

before(async () => {
  service = await startOwnService({})
})
after(() => service.close())

type Found = { check: string; status: string; detail: string; advice?: string }

async function doctor(environment: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runAdmin(service, ['doctor', '--json'], {
    QUAYSIDE_PORT: String(service.port),
    QUAYSIDE_PUBLIC_URL: service.url,
    QUAYSIDE_PART_SIZE_MB: '5',
    ...environment,
  })
  assert.equal(stderr, '')
  const { findings } = JSON.parse(stdout) as { findings: Found[] }
  const statuses: Record<string, string> = {}
  // A check can have several findings; the worst one counts.
  for (const worst of ['ok', 'warning', 'failure'])
    for (const { check, status } of findings) if (status === worst) statuses[check] = status
  const adviceOn = (check: string) => findings.find((finding) => finding.check === check)?.advice ?? ''
  return { code, findings, statuses, adviceOn }
}

test('finds a correct installation, and sends a file through its public URL', async (t) => {
  const smtp = await startSmtpServer()
  t.after(() => smtp.close())
  const { code, statuses, adviceOn } = await doctor({ QUAYSIDE_SMTP_URL: smtp.url })
  assert.deepEqual(statuses, {
    settings: 'ok',
    // The database of the tests does not sync its writes to the disk.
    database: 'failure',
    clock: 'ok',
    migrations: 'ok',
    storage: 'ok',
    disk: 'ok',
    server: 'ok',
    'public URL': 'ok',
    'Host header': 'ok',
    proxy: 'ok',
    'iOS manifest': 'ok',
    upload: 'ok',
    CORS: 'ok',
    tls: 'warning',
    mail: 'ok',
  })
  assert.match(adviceOn('database'), /a power failure loses builds/)
  assert.equal(code, 1)
})

test('prints what to do about each problem', async () => {
  const { code, stdout } = await runAdmin(service, ['doctor'], {
    QUAYSIDE_PORT: String(service.port),
    QUAYSIDE_PUBLIC_URL: service.url,
    QUAYSIDE_PART_SIZE_MB: '5',
    QUAYSIDE_SMTP_URL: 'smtp://127.0.0.1:1',
  })
  assert.equal(code, 1)
  assert.match(
    stdout,
    /^failure {2}mail: .*ECONNREFUSED.*\n {9}Check the host, the port and the credentials/m,
  )
  const { origin } = new URL(storageUrl(service.url))
  assert.match(stdout, new RegExp(`^ok {7}upload: sent 5\\.00 MB to ${origin}$`, 'm'))
  assert.match(stdout, /^Checks: \d+ ok, 1 with a warning, 2 failed$/m)
})

test('detects a public URL that leads to another server', async (t) => {
  const other = createServer((_request, response) => response.end('{"message":"Ready."}')).listen(
    0,
    '127.0.0.1',
  )
  await once(other, 'listening')
  t.after(() => other.close())
  const { port } = other.address() as AddressInfo
  const { code, statuses, adviceOn } = await doctor({ QUAYSIDE_PUBLIC_URL: `http://127.0.0.1:${port}` })
  assert.equal(code, 1)
  assert.equal(statuses['server'], 'ok')
  assert.equal(statuses['public URL'], 'failure')
  assert.match(adviceOn('public URL'), /QUAYSIDE_PUBLIC_URL/)
})

test('detects a server that is not running and a database that cannot be reached', async () => {
  const port = String(await freePort())
  const stopped = await doctor({ QUAYSIDE_PORT: port, QUAYSIDE_PUBLIC_URL: `http://localhost:${port}` })
  assert.deepEqual([stopped.code, stopped.statuses['server']], [1, 'failure'])
  const unreachable = await doctor({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  assert.deepEqual([unreachable.code, unreachable.statuses['database']], [1, 'failure'])
  assert.equal(unreachable.statuses['tls'], 'warning')
})

const hasNginx = ['nginx', 'openssl'].every((name) => spawnSync(name, ['-v']).error === undefined)

/** Starts nginx with TLS and otherwise its default settings. */
async function startPlainNginx(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-plain-nginx-'))
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const request = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 5 -subj /CN=localhost'
  const names = ['-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', ...request.split(' '), ...names, ...files], { stdio: 'ignore' })
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${temporary.join(' ')}
      server { listen 127.0.0.1:${port} ssl; ssl_certificate ${certificate}; ssl_certificate_key ${key};
        location / { proxy_pass http://127.0.0.1:${service.port}; } } }`,
  )
  const nginx = spawn('nginx', ['-e', join(folder, 'start.log'), '-c', join(folder, 'nginx.conf')], {
    stdio: 'ignore',
  })
  t.after(async () => {
    const exited = once(nginx, 'exit')
    if (nginx.exitCode === null && nginx.kill('SIGTERM')) await exited
    await rm(folder, { recursive: true, force: true })
  })
  const connect = ['s_client', '-connect', `127.0.0.1:${port}`]
  await until('nginx listens', () => spawnSync('openssl', connect, { input: '' }).status === 0, {
    everyMs: 100,
  })
  return { url: `https://localhost:${port}`, certificate }
}

test(
  'detects a proxy with a body limit, another Host header, no client address and a certificate that expires',
  { skip: !hasNginx && 'requires nginx and openssl' },
  async (t) => {
    const { url, certificate } = await startPlainNginx(t)
    const trusted = await doctor({ QUAYSIDE_PUBLIC_URL: url, NODE_EXTRA_CA_CERTS: certificate })
    assert.equal(trusted.code, 1)
    const { statuses } = trusted
    assert.deepEqual(
      [
        statuses['public URL'],
        statuses['upload'],
        statuses['Host header'],
        statuses['proxy'],
        statuses['tls'],
      ],
      // Files in S3 are not sent through the proxy.
      ['ok', storesInS3 ? 'ok' : 'failure', 'warning', 'warning', 'warning'],
    )
    if (!storesInS3) assert.match(trusted.adviceOn('upload'), /client_max_body_size 0/)
    assert.match(trusted.adviceOn('Host header'), /proxy_set_header Host/)
    assert.match(trusted.adviceOn('tls'), /Renew it/)
    const untrusted = await doctor({ QUAYSIDE_PUBLIC_URL: url })
    assert.equal(untrusted.statuses['tls'], 'failure')
  },
)

test('reveals how a request arrived only to a caller with the master secret', async () => {
  const headers = { 'quayside-doctor': `${'a'.repeat(22)}.${'b'.repeat(43)}` }
  const response = await fetch(`${service.url}/readyz`, { headers })
  assert.deepEqual(await response.json(), { message: 'Ready.' })
})
