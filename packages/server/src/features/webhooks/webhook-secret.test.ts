import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { webhookCalls } from '../../../test/webhook-calls.ts'
import { checkWebhookSecrets } from './check-secrets.job.ts'
import { webhookSecretContext } from './webhook-secret.db.ts'

const url = 'https://example.com/hook'

let service: Service
let tenant: Tenant
let webhooks: ReturnType<typeof webhookCalls>

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  webhooks = webhookCalls(service, tenant)
})
after(() => service.close())

const findRow = (id: string) =>
  service.deps.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('encrypts a webhook secret and never stores or returns it in plaintext', async () => {
  const secret = 'very secret text of a webhook'
  const id = await webhooks.create({ url, secret })
  const responses = [
    await webhooks.send('GET', `/${id}`),
    await webhooks.send('GET'),
    await webhooks.send('PATCH', `/${id}`, { secret }),
  ]
  for (const { text } of responses) assert.ok(!text.includes(secret))
  assert.equal(responses[0]?.body.data.secret_configured, true)
  const row = await findRow(id)
  assert.equal(service.deps.secretBox.open(row.secret_encrypted as Buffer, `webhook ${id}`), secret)
  assert.throws(() => service.deps.secretBox.open(row.secret_encrypted as Buffer, 'webhook of another id'))
  const audits = await service.deps.db.selectFrom('audit_entries').selectAll().execute()
  for (const stored of [row.secret_encrypted?.toString('latin1'), JSON.stringify([row, audits])])
    assert.ok(stored !== undefined && !stored.includes(secret))
})

test('keeps the previous secret for 24 hours and deletes both secrets when the secret is set to null', async () => {
  const id = await webhooks.create({ url, secret: 'the first secret' })
  assert.equal((await webhooks.send('PATCH', `/${id}`, { secret: ' second, with blanks ' })).status, 200)
  const { secretBox } = service.deps
  const row = await findRow(id)
  const open = (bytes: Buffer | null) => secretBox.open(bytes as Buffer, `webhook ${id}`)
  assert.equal(open(row.secret_encrypted), ' second, with blanks ')
  assert.equal(open(row.previous_secret_encrypted), 'the first secret')
  const hours = (Date.parse(row.previous_secret_until ?? '') - Date.now()) / 3_600_000
  assert.ok(hours > 23 && hours < 25, `${hours}`)
  const entry = await auditEntry(service, id)
  assert.equal((entry.after as { secret_changed: boolean }).secret_changed, true)
  await webhooks.send('PATCH', `/${id}`, { secret: null })
  const cleared = await findRow(id)
  assert.deepEqual([cleared.secret_encrypted, cleared.previous_secret_encrypted], [null, null])
})

const base64Secret = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

test('accepts secrets that Standard Webhooks libraries can use', async () => {
  for (const secret of [base64Secret(24), base64Secret(25), base64Secret(64), ' !~ plain ~! ']) {
    const id = await webhooks.create({ url, secret, is_active: false })
    assert.equal((await webhooks.send('PATCH', `/${id}`, { secret })).status, 200, secret)
    for (const unusable of ['whsec_AA==', '          ', 'Schlüssel für Webhooks']) {
      const response = await webhooks.send('PATCH', `/${id}`, { secret: unusable })
      assert.deepEqual([response.status, Object.keys(response.body.errors)], [422, ['secret']], unusable)
    }
  }
})

test('reports weak secrets from earlier versions until they are rotated', async () => {
  const { db, secretBox } = service.deps
  const check = () => checkWebhookSecrets.handle(service.deps, {}, new AbortController().signal)
  const createWith = async (secret: string) => {
    const id = await webhooks.create({ url, secret: 'a secret of an earlier version' })
    const secret_encrypted = secretBox.seal(secret, webhookSecretContext(id))
    await db.updateTable('webhooks').set({ secret_encrypted }).where('id', '=', id).execute()
    return id
  }
  const isWeak = async (id: string) => (await webhooks.send('GET', `/${id}`)).body.data.secret_is_weak
  const attention = async () => {
    const { body } = await service.call('GET', '/workspace/attention', { key: tenant.workspaceKey })
    const items = body.data as { kind: string; subject: { id: string } }[]
    return items.filter(({ kind }) => kind === 'webhook_secret_weak').map(({ subject }) => subject.id)
  }
  const unreadable = await createWith('unreadable')
  const secret_encrypted = secretBox.seal('a secret', webhookSecretContext('another webhook'))
  await db.updateTable('webhooks').set({ secret_encrypted }).where('id', '=', unreadable).execute()
  const weak = []
  for (const secret of ['whsec_!!!!!!', 'whsec_AA==', '          ', 'short'])
    weak.push(await createWith(secret))
  const strong = []
  for (const secret of [base64Secret(16), 'Schlüssel für Webhooks']) strong.push(await createWith(secret))
  const [rotated = ''] = weak
  const { updated_at } = await findRow(rotated)
  await check()
  for (const id of weak) assert.equal(await isWeak(id), true)
  for (const id of [...strong, unreadable]) assert.equal(await isWeak(id), false)
  assert.deepEqual((await attention()).toSorted(), weak.toSorted())
  assert.equal((await findRow(rotated)).updated_at, updated_at)
  await webhooks.send('PATCH', `/${rotated}`, { secret: base64Secret(32) })
  assert.equal(await isWeak(rotated), false)
  await check()
  assert.deepEqual((await attention()).toSorted(), weak.slice(1).toSorted())
})

for (const [flaw, secret] of [
  ['a secret of 5 characters', 'short'],
  ['a blank secret', '          '],
  ['a short secret between spaces', '     short     '],
  ['a secret that is not ASCII', 'Schlüssel für Webhooks'],
  ['a secret with a tab', 'a secret\twith a tab'],
  ['a secret without Base64', 'whsec_!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!'],
  ['an empty Base64 secret', 'whsec_  '],
  ['a secret of one byte', 'whsec_AA=='],
  ['a secret of 23 bytes', base64Secret(23)],
  ['a secret of 65 bytes', base64Secret(65)],
  ['a Base64 secret without padding', base64Secret(25).replace(/=+$/, '')],
  ['a Base64url secret', `whsec_${'_-'.repeat(16)}`],
] as const)
  test(`rejects ${flaw}`, async () => {
    const response = await webhooks.send('POST', '', { url, event: 'build.created', secret })
    assert.equal(response.status, 422)
    assert.deepEqual(Object.keys(response.body.errors), ['secret'])
  })
