import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { freePort } from '../../../../test/acceptance/free-port.ts'
import { startOwnService, type Service, type Tenant } from '../../../../test/harness.ts'
import { portalCalls, visit } from '../../../../test/portals.ts'
import { workspaceScopes } from '../../../http/endpoint/scopes.ts'
import { shortId } from '../../../lib/ids.ts'
import { createPortalHosts } from './portal-hosts.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof portalCalls>
let names = 0

before(async () => {
  service = await startOwnService({
    environment: {
      // With port 0, the service would replace its public URL.
      QUAYSIDE_PORT: String(await freePort()),
      QUAYSIDE_PUBLIC_URL: 'https://builds.example.com',
      QUAYSIDE_PORTAL_DOMAIN: 'portals.example.net',
    },
  })
})
after(() => service.close())

async function newTenant(): Promise<void> {
  // The public URL of the service leads nowhere, so the address at which it listens is used.
  const call: Service['call'] = (method, path, options) =>
    service.call(method, `http://127.0.0.1:${service.port}/api/v1${path}`, options)
  const workspaceId = shortId(12)
  await service.deps.db.insertInto('workspaces').values({ id: workspaceId, name: 'Acme' }).execute()
  const workspaceKey = await service.key(workspaceId, null, workspaceScopes)
  const created = await call('POST', '/applications', {
    key: workspaceKey,
    body: { name: 'Aurora', platforms: ['linux'] },
  })
  assert.equal(created.status, 201, created.text)
  tenant = { workspaceId, workspaceKey, applicationId: created.body.data.id, applicationKey: '' }
  calls = portalCalls({ ...service, call }, tenant)
}

const at = (host: string, path = '/', headers: Record<string, string> = {}, method = 'GET') =>
  visit(service, path, { method, headers: { host, ...headers } })

async function portalWithDomain(name: string) {
  const domain = `downloads${(names += 1)}.example.org`
  const portal = await calls.portal({ name, custom_domain: domain })
  return { domain, portal, verified: await calls.verifyDomain(portal) }
}

test('serves a portal, and nothing else, at its verified custom domain', async () => {
  await newTenant()
  const { domain, portal, verified } = await portalWithDomain('Aurora downloads')
  const release = await calls.releases.create({
    version_component_1_major: 1,
    version_component_2_minor: 0,
    version_component_3_patch: 0,
  })
  assert.equal(portal.portal_url, `https://builds.example.com/p/${portal.id}`)
  assert.equal(verified.portal_url, `https://${domain}`)
  for (const host of [domain, `${domain}:443`, domain.toUpperCase(), `${domain}.`]) {
    const { status, text } = await at(host)
    assert.equal(status, 200, host)
    assert.match(text, /<h1>Aurora downloads<\/h1>/)
    assert.ok(text.includes(`href="/releases/${release.id}"`))
  }
  assert.equal((await at(domain, `/releases/${release.id}`)).status, 200)
  assert.equal((await at(domain, '/?q=1.0')).status, 200)
  const feed = await at(domain, '/feed.json', { accept: '*/*' })
  assert.equal(JSON.parse(feed.text).feed_url, `https://${domain}/feed.json`)
  const other = await calls.portal({ name: 'Other portal' })
  const key = { authorization: `Bearer ${tenant.workspaceKey}` }
  for (const path of [
    '/sign-in',
    '/api/v1/workspace',
    '/api/v1/portals',
    `/api/v1/public/portals/${other.id}`,
    `/p/${other.id}`,
    `/p/${portal.id}`,
    `/d/${tenant.applicationId}/releases/latest/linux`,
    '/docs',
    '/api/auth/get-session',
    `//p/${other.id}`,
    `/../../public/portals/${other.id}`,
    `/%2e%2e/${other.id}`,
  ])
    for (const headers of [{}, key, { accept: '*/*' }]) {
      const { status, text } = await at(domain, path, headers)
      assert.equal(status, 404, path)
      assert.ok(!text.includes('Other portal'), path)
    }
})

test('believes only the Host header', async () => {
  await newTenant()
  const { domain } = await portalWithDomain('Mine')
  const otherTenant = tenant
  await newTenant()
  const theirs = await portalWithDomain('Theirs')
  assert.notEqual(otherTenant.workspaceId, tenant.workspaceId)
  for (const header of ['x-forwarded-host', 'x-host', 'x-original-host', 'forwarded', 'x-forwarded-server']) {
    const value = header === 'forwarded' ? `host=${theirs.domain}` : theirs.domain
    const { text } = await at(domain, '/', { [header]: value })
    assert.match(text, /<h1>Mine<\/h1>/, header)
    const service = await at('builds.example.com', `/p/${theirs.portal.id}`, { [header]: domain })
    assert.match(service.text, /<h1>Theirs<\/h1>/, header)
  }
})

test('gives a domain only to the portal that verified it', async () => {
  await newTenant()
  const domain = 'contested.example.org'
  const first = await calls.portal({ name: 'Claimed', custom_domain: domain })
  assert.doesNotMatch((await at(domain)).text, /Claimed/)
  const firstCalls = calls
  await newTenant()
  const second = await calls.portal({ name: 'Owner', custom_domain: domain })
  await calls.verifyDomain(second)
  assert.match((await at(domain)).text, /<h1>Owner<\/h1>/)
  const { name, value } = first.custom_domain_verification
  service.dns.responses.set(name, [value])
  await assert.rejects(firstCalls.send('POST', `/portals/${first.id}/custom-domain/verify`))
  assert.match((await at(domain)).text, /<h1>Owner<\/h1>/)
  await calls.send('PATCH', `/portals/${second.id}`, { custom_domain: null })
  assert.doesNotMatch((await at(domain)).text, /Owner|Claimed/)
})

test('responds 404 at a name below the portal domain that no portal has, as a page to browsers', async () => {
  for (const host of ['portals.example.net', 'a.b.c.portals.example.net'])
    for (const path of ['/', '/sign-in', '/api/v1/workspace']) {
      const { status, headers, text } = await at(host, path)
      assert.deepEqual([status, headers['content-type']], [404, 'text/html; charset=utf-8'], `${host}${path}`)
      assert.match(text, /<h1>/)
    }
  for (const host of [
    'builds.example.com',
    'alias.example.org',
    `127.0.0.1:${service.port}`,
    'quayside',
    'quayside.internal',
    '[::1]',
  ])
    assert.notEqual((await at(host, '/sign-in')).status, 404, host)
})

test('serves a portal at its subdomain in its workspace', async () => {
  await newTenant()
  await service.deps.db
    .updateTable('workspaces')
    .set({ subdomain: 'acme' })
    .where('id', '=', tenant.workspaceId)
    .execute()
  const { portal_url: url } = await calls.portal({ name: 'Nightlies', subdomain: 'nightly' })
  assert.equal(url, 'https://nightly.acme.portals.example.net')
  assert.match((await at('nightly.acme.portals.example.net')).text, /<h1>Nightlies<\/h1>/)
  for (const host of [
    'nightly.other.portals.example.net',
    'acme.portals.example.net',
    'x.acme.portals.example.net',
  ])
    assert.equal((await at(host)).status, 404, host)
})

test('tells a proxy for which names it may obtain a certificate', async () => {
  await newTenant()
  const { domain } = await portalWithDomain('Certified')
  await calls.portal({ custom_domain: 'claimed-only.example.org' })
  const ask = async (name: string) =>
    (await at('127.0.0.1', `/api/v1/public/portal-domains?domain=${name}`, { accept: '*/*' })).status
  assert.equal(await ask(domain), 200)
  for (const name of ['claimed-only.example.org', 'builds.example.com', 'x', '..'])
    assert.equal(await ask(name), 404, name)
  assert.equal(await ask(''), 422)
})

test('limits the session at a custom domain to that domain', async () => {
  await newTenant()
  const { domain, portal } = await portalWithDomain('Private')
  await calls.send('PATCH', `/portals/${portal.id}`, {
    type: 'private',
    allowed_visitors: ['ana@example.com'],
  })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (path: string, body: string, cookie = '') =>
    visit(service, path, { method: 'POST', headers: { host: domain, cookie, ...form }, body })
  const requested = await post('/code', 'email=ana%40example.com')
  assert.deepEqual([requested.status, requested.headers.location], [303, '/code'])
  const [cookie = ''] = String(requested.headers['set-cookie']).split(';')
  assert.match(String(requested.headers['set-cookie']), /; Path=\/; .*HttpOnly; SameSite=Lax; Secure/)
  const { text_body } = await service.deps.db
    .selectFrom('mails')
    .select('text_body')
    .where('recipient', '=', 'ana@example.com')
    .executeTakeFirstOrThrow()
  assert.ok(text_body.includes(domain))
  const code = /\d{4} \d{4}/.exec(text_body)?.[0] ?? assert.fail(text_body)
  const entered = await post('/session', `code=${encodeURIComponent(code)}`, cookie)
  assert.deepEqual([entered.status, entered.headers.location], [303, '/'])
  const [session = ''] = [entered.headers['set-cookie'] ?? []].flat()[0]?.split(';') ?? []
  assert.match((await at(domain, '/', { cookie: session })).text, /<h1>Private<\/h1>/)
  const elsewhere = await at('builds.example.com', `/p/${portal.id}`, { cookie: session })
  assert.match(elsewhere.text, /This page is private/)
})

test('passes requests for other hosts of the service on without a query', () => {
  const updateHosts = new Map([['updates.example.com', '/u/23456789ab/hazel']])
  const config = { ...service.deps.config, updateHosts }
  const passed: (string | undefined)[] = []
  const handle = createPortalHosts({ ...service.deps, config }).createHandler(({ headers }) => {
    passed.push(headers.host)
  })
  const hosts = ['updates.example.com', 'Updates.Example.com:443', '192.0.2.1:80', '[::1]:80', 'node-1']
  for (const host of hosts) {
    const request = new IncomingMessage(new Socket())
    request.headers.host = host
    handle(request, new ServerResponse(request))
  }
  // A lookup would pass the request on only later.
  assert.deepEqual(passed, hosts)
})
