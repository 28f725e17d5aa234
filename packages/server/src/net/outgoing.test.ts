import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createAddressRules } from './address-rules.ts'
import { createJsonReader, ForbiddenAddress } from './outgoing.ts'

const limits = () => ({ maxBytes: 1000, signal: AbortSignal.timeout(60_000) })

async function startServer(t: TestContext, listener: RequestListener) {
  let connections = 0
  const server = createServer(listener)
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

function reader(t: TestContext, allowed: string[]) {
  const jsonReader = createJsonReader(createAddressRules(allowed), 'test')
  t.after(() => jsonReader.close())
  return jsonReader
}

async function causeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    return error instanceof ForbiddenAddress ? error : cause
  }
  return undefined
}

test('rejects a local host name or address in any notation without connecting', async (t) => {
  const { port, connections } = await startServer(t, (_request, response) => response.end('{}'))
  const guarded = reader(t, [])
  for (const host of [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    'localhost',
    'LOCALHOST',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '0',
    '0.0.0.0',
    '[::]',
    '１２７.0.0.1',
  ]) {
    const error = await causeOf(guarded.get(`http://${host}:${port}/`, limits()))
    assert.ok(error instanceof ForbiddenAddress, `${host}: ${String(error)}`)
  }
  assert.equal(connections(), 0)
})

test('reads JSON from a host name or IP address in an allowed range', async (t) => {
  const { port } = await startServer(t, (request, response) =>
    response.end(JSON.stringify({ at: request.url })),
  )
  const guarded = reader(t, ['127.0.0.0/8'])
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])
    assert.deepEqual(await guarded.get(`http://${host}:${port}/a`, limits()), {
      status: 200,
      json: { at: '/a' },
    })
})

test('does not follow redirects', async (t) => {
  const { port, connections } = await startServer(t, (_request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${port}/b` }).end(),
  )
  const { status, json } = await reader(t, ['127.0.0.1']).get(`http://127.0.0.1:${port}/`, limits())
  assert.deepEqual([status, json, connections()], [302, undefined, 1])
})

test('returns no JSON if the body is too long or never ends', async (t) => {
  const { port } = await startServer(t, (request, response) => {
    if (request.url === '/long') return response.end(JSON.stringify('x'.repeat(1000)))
    const more = () => {
      while (response.write('[1,'.repeat(1000)));
    }
    response.on('drain', more)
    more()
    return response
  })
  const guarded = reader(t, ['127.0.0.1'])
  for (const path of ['/long', '/endless'])
    assert.deepEqual(await guarded.get(`http://127.0.0.1:${port}${path}`, limits()), {
      status: 200,
      json: undefined,
    })
})

test('aborts a request at the timeout if the host sends no response or an incomplete one', async (t) => {
  const { port } = await startServer(t, (request, response) => {
    if (request.url === '/dribble') response.write('{')
  })
  const guarded = reader(t, ['127.0.0.1'])
  for (const path of ['/silent', '/dribble'])
    await assert.rejects(
      guarded.get(`http://127.0.0.1:${port}${path}`, { maxBytes: 1000, signal: AbortSignal.timeout(200) }),
      { name: 'TimeoutError' },
    )
})

test('connects only to allowed addresses when a host name resolves differently each time', async (t) => {
  const { port, connections } = await startServer(t, (_request, response) => {
    response.setHeader('connection', 'close').end('{}')
  })
  const loopback = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
  const lookups = [
    loopback.slice(0, 1),
    loopback.slice(1),
    loopback.toReversed(),
    [{ address: '::1', family: 6 }],
  ]
  const lookedUp: string[] = []
  const guarded = createJsonReader(
    createAddressRules(['127.0.0.1']),
    'test',
    (hostname, _options, callback) => {
      lookedUp.push(hostname)
      callback(null, lookups.shift() ?? [])
    },
  )
  t.after(() => guarded.close())
  const get = () => guarded.get(`http://rebinding.example.com:${port}/`, limits())
  assert.equal((await get()).status, 200)
  assert.ok((await causeOf(get())) instanceof ForbiddenAddress)
  assert.equal((await get()).status, 200)
  assert.ok((await causeOf(get())) instanceof ForbiddenAddress)
  assert.ok((await causeOf(get())) instanceof ForbiddenAddress)
  assert.deepEqual([lookedUp.length, connections()], [5, 2])
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test('requires a trusted HTTPS certificate for the requested host', { skip: !hasOpenssl }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-tls-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const request =
    'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'
  const openssl = spawnSync('openssl', [...request.split(' '), '-keyout', key, '-out', cert])
  assert.equal(openssl.status, 0, String(openssl.stderr))
  const server = createSecureServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (_request, response) => response.end('{"secure":true}'),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const get = (host: string) => reader(t, ['127.0.0.1']).get(`https://${host}:${port}/`, limits())
  await assert.rejects(get('localhost'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  const known = getCACertificates()
  setDefaultCACertificates([...known, readFileSync(cert, 'utf8')])
  t.after(() => setDefaultCACertificates(known))
  assert.deepEqual(await get('localhost'), { status: 200, json: { secure: true } })
  await assert.rejects(get('127.0.0.1'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
})
