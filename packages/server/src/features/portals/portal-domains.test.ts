import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import type { DnsResponse } from '../../../test/dns-server.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown, key = tenant.workspaceKey) =>
  service.call(method, path, { key, body })

let domains = 0

async function createPortal() {
  const domain = `downloads${(domains += 1)}.example.com`
  const { status, body, text } = await send('POST', '/portals', { name: 'Portal', custom_domain: domain })
  assert.equal(status, 201, text)
  const { id, custom_domain_verification: record } = body.data
  const verify = () => send('POST', `/portals/${id}/custom-domain/verify`)
  return { id: id as string, path: `/portals/${id}`, domain, record, verify }
}

test('activates a custom domain after DNS verification and deactivates it when the domain changes', async () => {
  const { id, path, domain, record, verify } = await createPortal()
  const { data } = (await send('GET', path)).body
  assert.deepEqual([data.custom_domain, data.custom_domain_active], [domain, false])
  assert.deepEqual([record.type, record.name], ['TXT', `_quayside.${domain}`])

  const unverified = await verify()
  assert.deepEqual([unverified.status, unverified.body.code], [409, 'portal.custom_domain_unverified'])
  assert.ok(
    unverified.body.message.includes(record.value) && unverified.body.message.includes('it does not exist'),
  )

  service.dns.responses.set(record.name, ['v=spf1 -all', record.value])
  const verified = await verify()
  assert.equal(verified.status, 200, verified.text)
  assert.equal(verified.body.data.custom_domain_active, true)
  assert.deepEqual((await send('GET', path)).body.data, verified.body.data)
  const entry = await auditEntry(service, id)
  assert.equal(entry.action, 'portal.custom_domain_verified')

  const same = await send('PATCH', path, { custom_domain: domain.toUpperCase(), name: 'Still' })
  assert.deepEqual([same.body.data.custom_domain_active, same.body.data.name], [true, 'Still'])
  const changed = (await send('PATCH', path, { custom_domain: `new.${domain}` })).body.data
  assert.deepEqual([changed.custom_domain, changed.custom_domain_active], [`new.${domain}`, false])
  assert.notEqual(changed.custom_domain_verification.value, record.value)
  const back = (await send('PATCH', path, { custom_domain: domain })).body.data
  assert.deepEqual([back.custom_domain_verification, back.custom_domain_active], [record, false])
  const none = (await send('PATCH', path, { custom_domain: null })).body.data
  assert.deepEqual(
    [none.custom_domain, none.custom_domain_active, none.custom_domain_verification],
    [null, false, null],
  )
  assert.equal((await verify()).body.code, 'portal.no_custom_domain')
})

test('rejects a DNS record that belongs to another portal or does not match exactly', async () => {
  const [mine, other] = [await createPortal(), await createPortal()]
  for (const text of [
    other.record.value,
    mine.record.value.slice(0, -1),
    `${mine.record.value}x`,
    '',
    'x'.repeat(400),
  ]) {
    service.dns.responses.set(mine.record.name, [text])
    const response = await mine.verify()
    assert.deepEqual([response.status, response.body.code], [409, 'portal.custom_domain_unverified'], text)
  }
  assert.equal((await send('GET', mine.path)).body.data.custom_domain_active, false)
})

for (const [failure, behavior] of [
  ['servfail', 'returns SERVFAIL'],
  ['silence', 'does not respond'],
] satisfies [DnsResponse, string][]) {
  test(`keeps a verified domain active and returns 503 if the DNS server ${behavior}`, async () => {
    const { path, record, verify } = await createPortal()
    service.dns.responses.set(record.name, [record.value])
    assert.equal((await verify()).status, 200)
    service.dns.responses.set(record.name, failure)
    const refused = await verify()
    assert.deepEqual([refused.status, refused.body.code], [503, 'dns.unavailable'])
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await send('GET', path)).body.data.custom_domain_active, true)
  })
}

test('rejects a custom domain that another portal has verified, even under concurrent requests', async () => {
  const { domain, record, verify } = await createPortal()
  service.dns.responses.set(record.name, [record.value])
  assert.equal((await verify()).status, 200)
  const otherKey = (await service.tenant()).workspaceKey
  for (const custom_domain of [domain, domain.toUpperCase(), `${domain}.`]) {
    const created = await send('POST', '/portals', { name: 'x', custom_domain }, otherKey)
    assert.deepEqual([created.status, created.body.code], [409, 'portal.custom_domain_taken'])
  }
  const free = { name: 'x', custom_domain: 'free.example.com' }
  const responses = await Promise.all(Array.from({ length: 10 }, () => send('POST', '/portals', free)))
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [201, ...Array<number>(9).fill(409)])
})

test('assigns a custom domain claimed by several workspaces to the first portal that verifies it', async () => {
  const squatter = (await service.tenant()).workspaceKey
  const custom_domain = 'owned.example.com'
  const claim = async (key: string) => {
    const { status, body, text } = await send('POST', '/portals', { name: 'Claim', custom_domain }, key)
    assert.equal(status, 201, text)
    const { id, custom_domain_verification: record } = body.data
    const verify = () => send('POST', `/portals/${id}/custom-domain/verify`, undefined, key)
    return { path: `/portals/${id}`, record, verify }
  }
  const first = await claim(squatter)
  const owner = await claim(tenant.workspaceKey)
  const dns = (...values: string[]) => service.dns.responses.set(`_quayside.${custom_domain}`, values)
  dns(owner.record.value)
  assert.equal((await first.verify()).body.code, 'portal.custom_domain_unverified')
  assert.equal((await owner.verify()).body.data.custom_domain_active, true)
  dns(owner.record.value, first.record.value)
  const late = await first.verify()
  assert.deepEqual([late.status, late.body.code], [409, 'portal.custom_domain_taken'])
  const claims = [
    await send('POST', '/portals', { name: 'Late', custom_domain }, squatter),
    await send('PATCH', (await createPortal()).path, { custom_domain }),
  ]
  for (const { status, body } of claims)
    assert.deepEqual([status, body.code], [409, 'portal.custom_domain_taken'])
  assert.equal((await owner.verify()).status, 200)

  // After the owner removes the domain, another portal can verify it.
  assert.equal((await send('PATCH', owner.path, { custom_domain: null })).status, 200)
  const both = await Promise.all([first.verify(), first.verify()])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
})

test('does not verify a custom domain that is set during the DNS lookup of the previous one', async () => {
  const { path, record, verify } = await createPortal()
  service.dns.responses.set(record.name, 'silence')
  const lookups = service.dns.queries.length
  const verifying = verify()
  while (service.dns.queries.length === lookups) await new Promise((resolve) => setTimeout(resolve, 10))
  await send('PATCH', path, { custom_domain: 'other.example.org' })
  service.dns.responses.set(record.name, [record.value])
  const { status, body } = await verifying
  assert.deepEqual([status, body.code], [409, 'portal.custom_domain_changed'])
  assert.equal((await send('GET', path)).body.data.custom_domain_active, false)
})

for (const [description, custom_domain] of [
  ['a single-label name', 'localhost'],
  ['an IP address', '127.0.0.1'],
  ['a URL', 'https://a.example.com'],
  ['a name with an underscore', 'a_b.example.com'],
  ['a name with a port', 'a.example.com:80'],
  ['a number', 5],
] as const) {
  test(`rejects ${description} as a custom domain`, async () => {
    const response = await send('POST', '/portals', { name: 'x', custom_domain })
    assert.equal(response.status, 422)
    assert.ok('custom_domain' in response.body.errors)
  })
}
