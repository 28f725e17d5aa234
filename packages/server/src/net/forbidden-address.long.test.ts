import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type LookupFunction, type Server } from 'node:net'
import { after, before, test } from 'node:test'
import { Agent, request } from 'undici'
import { startDnsServer } from '../../test/dns-server.ts'
import {
  forbiddenHosts,
  forbiddenNames,
  loopbackAddresses,
  misleadingUrls,
} from '../../test/forbidden-hosts.ts'
import { until } from '../../test/until.ts'
import { createAddressRules } from './address-rules.ts'
import { discoverKeys } from './issuer-discovery.ts'
import { createJsonReader, createPoster, ForbiddenAddress } from './outgoing.ts'

// Represents a public address, because tests must not send anything to the internet.
const allowedAddress = '127.0.0.77'
const skip = process.platform !== 'linux' && 'Other systems have no loopback addresses except 127.0.0.1.'

let sinks: Server[] = []
let port = 0
let connections: string[] = []
let dns: Awaited<ReturnType<typeof startDnsServer>>
let resolver: Resolver
const lookups = new Map<string, number>()

before(async () => {
  for (const address of [...loopbackAddresses, '::1']) {
    const sink = createServer((socket) => {
      connections.push(`${socket.localAddress}`)
      socket.destroy()
    })
    const listening = once(sink, 'listening')
    sink.listen(port, address)
    // Some systems have neither IPv6 nor loopback addresses other than 127.0.0.1.
    if (await listening.catch(() => false)) sinks.push(sink)
    if (port === 0) port = (sink.address() as AddressInfo).port
  }
  dns = await startDnsServer()
  resolver = new Resolver()
  resolver.setServers([dns.address])
})
after(async () => {
  for (const sink of sinks) sink.close()
  sinks = []
  await dns.close()
})

/** Resolves a name through the DNS server of the test. Names that are not in the table get loopback addresses. */
function resolve(
  hostname: string,
  _options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
): void {
  const name = hostname.replace(/\.$/, '')
  const entry = forbiddenNames[name]
  const count = lookups.get(name) ?? 0
  lookups.set(name, count + 1)
  if (entry !== undefined) {
    const [first] = entry.addresses
    const addresses = Array.isArray(first)
      ? ((entry.addresses as string[][])[count % entry.addresses.length] ?? [])
      : (entry.addresses as string[])
    dns.responses.set(name, { ...entry, addresses })
  } else dns.responses.set(name, { addresses: ['127.0.0.1', '::1'] })
  void Promise.all([resolver.resolve4(name).catch(() => []), resolver.resolve6(name).catch(() => [])]).then(
    ([v4, v6]) => {
      const found = [
        ...v4.map((address) => ({ address, family: 4 })),
        ...v6.map((address) => ({ address, family: 6 })),
      ]
      callback(found.length === 0 ? Object.assign(new Error(hostname), { code: 'ENOTFOUND' }) : null, found)
    },
  )
}

/** Returns URLs with every host in the table. Names are repeated, because the addresses of some change. */
function urls(protocol = 'http'): string[] {
  const names = Object.keys(forbiddenNames).flatMap((name) => [name, `${name}.`, name.toUpperCase(), name])
  return [
    ...[...forbiddenHosts, ...names].map((host) => `${protocol}://${host}:${port}/hook`),
    ...misleadingUrls(port),
  ]
}

function isForbidden(error: unknown): boolean {
  if (error instanceof ForbiddenAddress) return true
  const { cause, errors } = (error ?? {}) as { cause?: unknown; errors?: unknown[] }
  return (cause !== undefined && isForbidden(cause)) || (errors?.some(isForbidden) ?? false)
}

const isInvalidUrl = (error: unknown): boolean =>
  ['ERR_INVALID_URL', 'UND_ERR_INVALID_ARG'].includes((error as { code: string }).code)

const post = { headers: {}, body: '{}', maxBytes: 100 }

test('reaches the listeners with at least 100 of the spellings if addresses are not checked', async (t) => {
  const lookup: LookupFunction = (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, found) => callback(error, found))
  const agent = new Agent({ connect: { lookup } })
  t.after(() => agent.destroy())
  // The test does not connect to other networks.
  const isLocal = (url: string) =>
    /^https?:\/\/(\[?::|0x7f|0?0?0?0?0?177|127|2130|localhost|0|.*\.test)/i.test(url)
  connections = []
  const stop = new AbortController()
  const send = async (url: string) => request(url, { dispatcher: agent, signal: stop.signal }).catch(() => {})
  const requests = Promise.allSettled(urls().filter(isLocal).map(send))
  const haveArrived = () => connections.length >= 100 && (sinks.length === 1 || new Set(connections).size > 3)
  await until('the listeners have accepted 100 connections', haveArrived).finally(() => stop.abort())
  await requests
})

test('makes no connection for a webhook to any spelling of a forbidden address', async (t) => {
  const poster = createPoster(createAddressRules([]), resolve)
  t.after(() => poster.close())
  connections = []
  const all = urls()
  assert.ok(new Set(all).size >= 400, `${new Set(all).size}`)
  for (const url of all)
    await assert.rejects(
      poster.post(url, { ...post, signal: AbortSignal.timeout(60_000) }),
      (error) => isForbidden(error) || isInvalidUrl(error),
      url,
    )
  assert.deepEqual(connections, [])
})

test(
  'makes no connection when an issuer or its key set has any spelling of a forbidden address',
  { skip },
  async (t) => {
    let keysUrl = ''
    const issuer = createHttpServer((_request, response) =>
      response.end(JSON.stringify({ issuer: issuerUrl, jwks_uri: keysUrl })),
    )
    issuer.listen(0, allowedAddress)
    await once(issuer, 'listening')
    t.after(() => {
      issuer.closeAllConnections()
      issuer.close()
    })
    const issuerUrl = `http://${allowedAddress}:${(issuer.address() as AddressInfo).port}`
    const reader = createJsonReader(createAddressRules([allowedAddress]), 'test', resolve)
    t.after(() => reader.close())
    connections = []
    for (const url of urls()) {
      const result = await discoverKeys(reader, url)
      assert.ok('problem' in result, url)
    }
    for (const url of urls('https')) {
      keysUrl = url
      const result = await discoverKeys(reader, issuerUrl)
      assert.ok('problem' in result, url)
      assert.match(result.problem.message, /no public address|not an https URL|could not be reached/, url)
    }
    assert.deepEqual(connections, [])
  },
)

test('makes no connection to the forbidden target of a redirect', { skip }, async (t) => {
  let [status, location] = [307, '']
  const redirecting = createHttpServer((_request, response) =>
    response
      .writeHead(status, {
        location,
        refresh: `0; url=${location}`,
        'alt-svc': `h2="127.0.0.1:${port}"`,
        link: `<${location}>; rel=preload`,
      })
      .end(),
  )
  redirecting.listen(0, allowedAddress)
  await once(redirecting, 'listening')
  t.after(() => {
    redirecting.closeAllConnections()
    redirecting.close()
  })
  const url = `http://${allowedAddress}:${(redirecting.address() as AddressInfo).port}/`
  const poster = createPoster(createAddressRules([allowedAddress]), resolve)
  t.after(() => poster.close())
  connections = []
  for (status of [300, 301, 302, 303, 305, 307, 308])
    for (const target of misleadingUrls(port)) {
      location = encodeURI(target)
      const response = await poster.post(url, { ...post, signal: AbortSignal.timeout(60_000) })
      assert.equal(response.status, status)
    }
  assert.deepEqual(connections, [])
})

test('connects only to the allowed address of a name that also has forbidden ones', async (t) => {
  const poster = createPoster(createAddressRules([allowedAddress]), (_hostname, _options, callback) =>
    callback(
      null,
      ['127.0.0.1', '::1', allowedAddress, '127.0.0.2'].map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      })),
    ),
  )
  t.after(() => poster.close())
  connections = []
  for (let attempt = 0; attempt < 5; attempt++)
    await assert.rejects(
      poster.post(`http://mixed.test:${port}/`, { ...post, signal: AbortSignal.timeout(60_000) }),
      (error: { code?: string }) => error.code === 'ECONNREFUSED',
    )
  assert.deepEqual(connections, [])
})

test('ignores the proxies in environment variables', async () => {
  const proxy = `http://127.0.0.1:${port}`
  const code = `
    import { createAddressRules } from ${JSON.stringify(import.meta.resolve('./address-rules.ts'))}
    import { createJsonReader, createPoster } from ${JSON.stringify(import.meta.resolve('./outgoing.ts'))}
    const rules = createAddressRules(['${allowedAddress}'])
    const signal = AbortSignal.timeout(60_000)
    const poster = createPoster(rules)
    const reader = createJsonReader(rules, 'test')
    for (const scheme of ['http', 'https']) {
      const url = scheme + '://${allowedAddress}:${port}/'
      await poster.post(url, { headers: {}, body: '', maxBytes: 1, signal }).catch(({ code }) => console.log(code))
      await reader.get(url, { maxBytes: 1, signal }).catch(({ code }) => console.log(code))
    }
    await poster.close()
    await reader.close()`
  connections = []
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: {
      PATH: process.env['PATH'],
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      ALL_PROXY: proxy,
      http_proxy: proxy,
      https_proxy: proxy,
      all_proxy: proxy,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  await once(child, 'close')
  assert.equal(output, 'ECONNREFUSED\n'.repeat(4))
  assert.deepEqual(connections, [])
})
