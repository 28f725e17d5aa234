import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { generateKey } from 'openpgp'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { generateCertificateKey } from '../../crypto/certificate-key.ts'
import { createSecretBox } from '../../crypto/secret-box.ts'
import { inTransaction } from '../../database/transaction.ts'
import {
  deleteUnreadableRepositoryKeys,
  ensureRepositoryKeys,
  resealRepositoryKeys,
} from './repository-key.db.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
})
after(() => service.close())

const path = '/workspace/repository-keys'
const send = (method: string, at = path, body?: unknown) =>
  service.call(method, at, { key: tenant.workspaceKey, body })
const list = async () => (await send('GET')).body.data

const usersKey = async (options: object = {}) =>
  (
    await generateKey({
      type: 'ecc',
      curve: 'ed25519Legacy',
      userIDs: [{ name: 'Harbor' }],
      date: new Date(Date.now() - 60_000),
      ...options,
    })
  ).privateKey

test('creates one key when several nodes need it at once', async () => {
  tenant = await service.tenant()
  assert.deepEqual(await list(), [])
  const all = await Promise.all(
    Array.from({ length: 5 }, () => ensureRepositoryKeys(service.deps, tenant.workspaceId, 'openpgp')),
  )
  assert.equal(new Set(all.map(([key]) => key?.id)).size, 1)
  const [key, ...others] = await list()
  assert.equal(others.length, 0)
  assert.match(key.fingerprint, /^[0-9a-f]{40}$/)
  assert.match(key.public_key, /^-----BEGIN PGP PUBLIC KEY BLOCK-----/)
  assert.deepEqual([key.is_current, key.is_imported, key.retires_at], [true, false, null])
  const { action, actor_name } = await auditEntry(service, key.id)
  assert.deepEqual([action, actor_name], ['repository_key.created', 'Package repositories'])
  const rows = await service.deps.db.selectFrom('repository_keys').selectAll().execute()
  assert.doesNotMatch(rows.map((row) => row.private_key_encrypted.toString('latin1')).join(''), /PGP/)
})

test('replaces the key, signs with the previous one for some time, and deletes it', async () => {
  tenant = await service.tenant()
  const first = (await send('POST', path, {})).body.data
  const uploaded = await send('POST', path, { private_key: await usersKey(), overlap_days: 7 })
  assert.equal(uploaded.status, 201, uploaded.text)
  assert.equal(uploaded.body.data.is_imported, true)
  assert.doesNotMatch(uploaded.text, /PRIVATE/)
  const [current, previous] = await list()
  assert.deepEqual([current.id, previous.id], [uploaded.body.data.id, first.id])
  const days = (Date.parse(previous.retires_at) - Date.now()) / 86_400_000
  assert.ok(days > 6.9 && days < 7.1, `${days}`)
  const keys = await ensureRepositoryKeys(service.deps, tenant.workspaceId, 'openpgp')
  assert.deepEqual(
    keys.map(({ id }) => id),
    [current.id, previous.id],
  )
  assert.equal((await send('DELETE', `${path}/${current.id}`)).body.code, 'repository_key.current')
  assert.equal((await send('DELETE', `${path}/${previous.id}`)).status, 200)
  assert.equal((await send('DELETE', `${path}/${previous.id}`)).status, 404)
  assert.equal((await send('POST', path, { overlap_days: 0 })).status, 201)
  assert.equal((await list()).length, 1)
})

test('rejects keys that cannot sign indexes, and keys that it knows', async () => {
  tenant = await service.tenant()
  const { publicKey } = await generateKey({ userIDs: [{ name: 'x' }] })
  for (const [key, reason] of [
    ['text', /is not an armored/],
    [publicKey, /is not an armored/],
    [await usersKey({ passphrase: 'secret' }), /has a passphrase/],
    [await usersKey({ keyExpirationTime: 86_400 }), /has an expiration time/],
    [await usersKey({ date: new Date(Date.now() + 86_400_000) }), /cannot sign/],
  ] as const) {
    const refused = await send('POST', path, { private_key: key })
    assert.deepEqual([refused.status, refused.body.code], [422, 'repository_key.not_usable'], refused.text)
    assert.match(refused.body.message, reason)
  }
  const own = await usersKey()
  assert.equal((await send('POST', path, { private_key: own })).status, 201)
  assert.equal((await send('POST', path, { private_key: own })).body.code, 'repository_key.known')
})

test('re-encrypts keys with a new master secret, and deletes them if the secret is lost', async () => {
  tenant = await service.tenant()
  const { db, secretBox, clock } = service.deps
  const [key] = await ensureRepositoryKeys(service.deps, tenant.workspaceId, 'openpgp')
  const [oldSecret, newSecret] = ['o'.repeat(40), 'n'.repeat(40)]
  const { id, private_key_encrypted } = await db
    .selectFrom('repository_keys')
    .select(['id', 'private_key_encrypted'])
    .where('workspace_id', '=', tenant.workspaceId)
    .executeTakeFirstOrThrow()
  const context = `repository key ${id}`
  const sealed = createSecretBox(oldSecret).seal(secretBox.open(private_key_encrypted, context), context)
  await db
    .updateTable('repository_keys')
    .set({ private_key_encrypted: sealed })
    .where('id', '=', id)
    .execute()
  const rotated = createSecretBox(newSecret, oldSecret)
  assert.equal(await resealRepositoryKeys(db, rotated), 1)
  assert.equal(await resealRepositoryKeys(db, rotated), 0)
  const deps = { db, clock, secretBox: createSecretBox(newSecret) }
  const [opened] = await ensureRepositoryKeys(deps, tenant.workspaceId, 'openpgp')
  assert.equal(opened?.privateKey, key?.privateKey)
  await inTransaction(db, (tx) => deleteUnreadableRepositoryKeys(tx, secretBox))
  assert.deepEqual(await list(), [])
})

test('creates one certificate, keeps it beside the OpenPGP key, and replaces it at once', async () => {
  tenant = await service.tenant()
  const ensure = () => ensureRepositoryKeys(service.deps, tenant.workspaceId, 'x509')
  const all = await Promise.all([1, 2, 3].map(ensure))
  assert.equal(new Set(all.map(([key]) => key?.id)).size, 1)
  const [openPgp] = await ensureRepositoryKeys(service.deps, tenant.workspaceId, 'openpgp')
  const [first] = await list().then((keys) => keys.filter(({ kind }: { kind: string }) => kind === 'x509'))
  assert.match(first.fingerprint, /^[0-9a-f]{64}$/)
  assert.match(first.public_key, /^-----BEGIN CERTIFICATE-----/)
  assert.equal((await send('DELETE', `${path}/${first.id}`)).body.code, 'repository_key.current')
  const overlapping = await send('POST', path, { kind: 'x509', overlap_days: 30 })
  assert.deepEqual([overlapping.status, overlapping.body.code], [422, 'repository_key.no_overlap'])
  assert.equal((await ensure())[0]?.fingerprint, first.fingerprint)

  const own = await generateCertificateKey('Harbor', new Date())
  const private_key = `${own.privateKey}${own.publicKey}`
  const uploaded = await send('POST', path, { kind: 'x509', private_key })
  assert.equal(uploaded.status, 201, uploaded.text)
  assert.doesNotMatch(uploaded.text, /PRIVATE/)
  const { kind, fingerprint, is_imported } = uploaded.body.data
  assert.deepEqual([kind, fingerprint, is_imported], ['x509', own.fingerprint, true])
  assert.deepEqual(
    new Set((await list()).map(({ id }: { id: string }) => id)),
    new Set([openPgp?.id, uploaded.body.data.id]),
  )
  assert.equal((await send('POST', path, { kind: 'x509', private_key })).body.code, 'repository_key.known')
  const [signing] = await ensure()
  assert.equal(signing?.privateKey, own.privateKey)
})

test('rejects certificates and keys that cannot sign indexes for F-Droid', async () => {
  tenant = await service.tenant()
  const { publicKey, privateKey } = await generateCertificateKey('Harbor', new Date())
  const other = await generateCertificateKey('Harbor', new Date())
  const expired = await generateCertificateKey('Harbor', new Date('1990-01-01'))
  const encoding = { type: 'pkcs8', format: 'pem' } as const
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(encoding)
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export(encoding)
  const encrypted = createPrivateKey(privateKey).export({
    ...encoding,
    cipher: 'aes-256-cbc',
    passphrase: 'secret',
  })
  for (const [text, reason] of [
    ['text', /no private key/],
    [publicKey, /no private key/],
    ['-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', /no private key/],
    [`${encrypted.toString()}${publicKey}`, /has a passphrase/],
    [`${elliptic.toString()}${publicKey}`, /not an RSA key/],
    [`${short.toString()}${publicKey}`, /not an RSA key/],
    [privateKey, /no certificate/],
    [`${privateKey}${other.publicKey}`, /no certificate/],
    [`${privateKey}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`, /no certificate/],
    [`${expired.privateKey}${expired.publicKey}`, /has expired/],
  ] as const) {
    const refused = await send('POST', path, { kind: 'x509', private_key: text })
    assert.deepEqual(
      [refused.status, refused.body.code],
      [422, 'repository_key.certificate_not_usable'],
      refused.text,
    )
    assert.match(refused.body.message, reason)
  }
})
