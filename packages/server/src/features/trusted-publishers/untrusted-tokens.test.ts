import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { startService, type Service } from '../../../test/harness.ts'
import { exchangeToken } from './exchange-token.ts'
import { createPublisher, publishersPath } from './exchange.fixture.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Returns claims whose JSON representation is about `bytes` bytes long. */
const claimsOf = (bytes: number) => ({
  repository: 'acme/app',
  ref: 'refs/heads/main',
  environment: Array.from({ length: Math.ceil(bytes / 403) }, (_, i) => `${i}`.padStart(400, 'x')),
})

/** Exchanges a token and returns the total size in bytes of the database rows that the exchange reads. */
async function bytesReadBy(body: { token: string; application_id?: string }): Promise<number> {
  let bytes = 0
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      bytes += JSON.stringify(result.rows).length
      return result
    },
  }
  const call = {
    ...service.deps,
    db: service.deps.db.withPlugin(counter),
    actor: null,
    address: '127.0.0.1',
    body,
  }
  await assert.rejects((exchangeToken.handle as (input: unknown) => Promise<unknown>)(call))
  return bytes
}

test('does not read trusted publishers for a token without a valid signature', async () => {
  const { issuer, tenant, token, trust } = await createPublisher(service)
  for (let n = 0; n < 10; n++) await trust({ name: `Big ${n}`, claims: claimsOf(7000) })
  const unsigned = token().replace(/[^.]*$/, '')
  const { key } = { key: issuer.keys[0]! }
  const forged = `${unsigned}${Buffer.alloc(256, key.kid).toString('base64url')}`
  for (const text of [unsigned, forged])
    for (const selection of [{}, { application_id: tenant.applicationId }])
      assert.ok((await bytesReadBy({ token: text, ...selection })) < 1000)
})

test('reads only trusted publishers for the audience of the token when no application is specified', async () => {
  const { token, trust } = await createPublisher(service)
  for (let n = 0; n < 10; n++)
    await trust({ name: `Big ${n}`, audience: 'https://other.example', claims: claimsOf(7000) })
  assert.ok((await bytesReadBy({ token: token({ ref: 'refs/heads/other' }) })) < 1500)
  for (const aud of ['\0', 'a\ud800b', ['\0', 5]])
    assert.ok((await bytesReadBy({ token: token({ aud }) })) < 100)
})

test('finds the application for a token among 250 trusted publishers of other applications', async () => {
  const { tenant, id, token, exchangeWithoutApplication } = await createPublisher(service)
  const { db } = service.deps
  const others = await Promise.all(Array.from({ length: 2 }, () => service.tenant()))
  const rule = await db
    .selectFrom('trusted_publishers')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: 250 }, (_, i) => ({
    ...rule,
    id: crypto.randomUUID(),
    workspace_id: others[i % 2]!.workspaceId,
    application_id: others[i % 2]!.applicationId,
    claims: JSON.stringify({ repository: `acme/app-${i}` }),
  }))
  await db.insertInto('trusted_publishers').values(rows).execute()
  const found = await exchangeWithoutApplication(token())
  assert.deepEqual([found.status, found.body.data.application_id], [201, tenant.applicationId])
  const second = { ...rows[249]!, claims: JSON.stringify(rule.claims), id: crypto.randomUUID() }
  await db.insertInto('trusted_publishers').values(second).execute()
  const both = await exchangeWithoutApplication(token())
  assert.deepEqual([both.status, both.body.code], [409, 'oidc.ambiguous'])
})

test('rejects a trusted publisher whose claims are larger than 8 KiB', async () => {
  const { issuer, tenant, id } = await createPublisher(service)
  const fields = { name: 'Big', issuer: issuer.url, scopes: ['builds:create'] }
  const send = (method: string, path: string, body: object) =>
    service.call(method, path, { key: tenant.workspaceKey, body })
  const create = (claims: object) => send('POST', publishersPath(tenant), { ...fields, claims })
  assert.equal((await create(claimsOf(7900))).status, 201)
  for (const response of [
    await create(claimsOf(8300)),
    await create({ environment: Array.from({ length: 20 }, (_, i) => `${i}${'ü'.repeat(250)}`) }),
    await send('PATCH', `${publishersPath(tenant)}/${id}`, { claims: claimsOf(8300) }),
  ]) {
    assert.equal(response.status, 422)
    assert.match(response.body.errors.claims[0], /8192 bytes/)
  }
})
