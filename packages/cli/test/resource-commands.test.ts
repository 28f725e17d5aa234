import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type {
  AuditEntry,
  FullRelease,
  Label,
  ShareLink,
  SingleWebhook,
  Stream,
  WebhookRequest,
} from '@quayside/sdk'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import type { InProcessOptions } from './run-in-process.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'

let service: Service
let older: string
let newer: string
const env = { QUAYSIDE_APPLICATION: 'Game' }

const run = (args: string[], options: InProcessOptions = {}) =>
  runInProcess(service, args, { ...options, env })
const json = <Output>(args: string[], options: InProcessOptions = {}) =>
  jsonInProcess<Output>(service, args, { ...options, env })
const upload = async (...args: string[]) =>
  (await json<{ build_id: string }>(['upload', 'game-1.0.0.bin', '--no-scm', ...args])).build_id
const buildIds = (release: FullRelease) => release.builds.map(({ id }) => id).toSorted()

before(async () => {
  service = await startService()
  await writeFile(join(service.folder, 'game-1.0.0.bin'), randomBytes(1000))
  await json(['applications', 'create', 'Game', '--platform', 'linux'])
  older = await upload('--stream', 'stable')
  newer = await upload()
})

after(() => service.close())

test('creates a release from builds, then finds it by version or title to edit it', async () => {
  const create = ['releases', 'create', '3.1.0', '--build', 'latest', '--stream', 'stable', '--label', 'good']
  const created = await json<FullRelease>([...create, '--notes', 'New levels.'])
  assert.deepEqual(
    [created.version, created.title, created.notes, buildIds(created)],
    ['3.1.0', '3.1.0', 'New levels.', [older]],
  )
  const edit = ['releases', 'edit', '3.1.0', '--title', 'Summer', '--version', '3.2.0-rc.1']
  assert.equal((await json<FullRelease>(edit)).version, '3.2.0-rc.1')
  assert.deepEqual(
    buildIds(await json(['releases', 'add', 'Summer', 'latest', older])),
    [older, newer].toSorted(),
  )
  assert.deepEqual(buildIds(await json(['releases', 'remove', 'latest', older])), [newer])
  const listed = await run(['releases', 'list'])
  assert.match(listed.stdout, new RegExp(`${created.id} +3\\.2\\.0-rc\\.1 +Summer +published +1 +good`))
  const held = await run(['builds', 'delete', newer, '--yes'])
  assert.equal(held.code, 1)
  assert.match(held.stderr, /used by the release "Summer" .* or use --force/)
  assert.equal((await run(['releases', 'delete', 'Summer'], { answers: ['y'] })).code, 0)
  assert.match((await run(['releases', 'view', 'Summer'])).stderr, /Release "Summer" was not found/)
})

test('creates a draft, then schedules, publishes and withdraws it', async () => {
  const draft = await json<FullRelease>(['releases', 'create', '4.0.0', '--draft'])
  assert.equal(draft.status, 'draft')
  const at = ['releases', 'schedule', '4.0.0', '--at', '2099-01-31T12:00:00Z']
  assert.equal((await json<FullRelease>(at)).scheduled_for, '2099-01-31T12:00:00.000000Z')
  const listed = await run(['releases', 'list', '--status', 'draft,scheduled'])
  assert.match(listed.stdout, /4\.0\.0 +4\.0\.0 +scheduled for 2099-01-31 12:00 UTC/)
  const published = await run(['releases', 'publish', '4.0.0'])
  assert.match(published.stdout, /^Status +published$/m)
  assert.match(published.stderr, /^Release published\.$/m)
  assert.equal((await json<FullRelease>(['releases', 'withdraw', '4.0.0'])).status, 'withdrawn')
  const create = ['releases', 'create', '4.1.0', '--schedule', '7d']
  assert.equal((await json<FullRelease>(create)).status, 'scheduled')
  const both = await run([...create, '--draft'])
  assert.deepEqual([both.code, both.stdout], [2, ''])
  assert.match(both.stderr, /'--draft' cannot be used with option '--schedule <time>'/)
})

test('requires an ID when several releases have the same version', async () => {
  const first = await json<FullRelease>(['releases', 'create', '5.0.0'])
  await json(['releases', 'create', '5.0.0'])
  const ambiguous = await run(['releases', 'view', '5.0.0'])
  assert.equal(ambiguous.code, 2)
  assert.match(ambiguous.stderr, new RegExp(`Use one of these IDs: .*${first.id}`))
  assert.equal((await json<FullRelease>(['releases', 'view', first.id])).id, first.id)
})

test('prints only the URL of a new share link on standard output', async () => {
  const { code, stdout, stderr } = await run(['share', older, '--expires', '7d', '--max-downloads', '5'])
  assert.equal(code, 0, stderr)
  const url = stdout.trimEnd()
  assert.match(stderr, /active until .* 0 of 5 downloads/)
  assert.equal((await fetch(url)).status, 200)
  await json(['share', 'revoke', url])
  assert.equal((await fetch(url)).status, 410)
  assert.match((await run(['share', 'list', older])).stdout, /revoked/)
})

test('asks twice for the password of a share link', async () => {
  const share = ['share', 'latest', '--password']
  const answers = ['correct horse', 'correct horse']
  const link = await run(share, { answers })
  assert.equal(link.code, 0, link.stderr)
  assert.doesNotMatch(link.stderr, /horse/)
  const grant = await fetch(`${link.stdout.trimEnd()}/grants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: 'correct horse' }),
  })
  assert.equal(grant.status, 201, await grant.text())
  const differing = await run(share, { answers: ['correct horse', 'other'] })
  assert.equal(differing.code, 2)
  assert.match(differing.stderr, /The passwords differ/)
  assert.match((await run(share)).stderr, /Use --password-stdin/)
})

test('shares a release with the password from standard input', async () => {
  await json(['releases', 'create', '6.0.0', '--build', newer])
  const link = await json<ShareLink>(['share', '--release', '6.0.0', '--password-stdin'], {
    input: 'correct horse\n',
  })
  assert.deepEqual([link.shareable_type, link.password_protected], ['release', true])
  const neither = await run(['share'])
  assert.equal(neither.code, 2)
  assert.match(neither.stderr, /Specify either a build .* or a release/)
})

test('creates, edits and deletes streams', async () => {
  await json(['streams', 'create', 'beta', '--retention', '30'])
  const edit = ['streams', 'edit', 'beta', '--name', 'preview', '--retention', 'none']
  assert.equal((await json<Stream>(edit)).retention_days, null)
  const moved = await upload('--stream', 'preview')
  const remove = ['streams', 'delete', 'preview', '--yes']
  const inUse = await run(remove)
  assert.equal(inUse.code, 1)
  assert.match(inUse.stderr, /"preview" is not empty .* Use --move-to to specify the stream/)
  await json([...remove, '--move-to', 'nightlies'])
  assert.equal((await json<{ stream: Stream }>(['builds', 'view', moved])).stream.name, 'nightlies')
})

test('lists the existing streams or labels when one is not found', async () => {
  await json(['labels', 'create', 'approved'])
  const stream = await run(['streams', 'view', 'nope'])
  assert.equal(stream.code, 1)
  assert.match(stream.stderr, /Stream "nope" was not found\. Streams: default, nightlies, stable\./)
  const label = await run(['labels', 'delete', 'nope', '--yes'])
  assert.match(label.stderr, /Label "nope" was not found\. Labels: .*approved/)
})

test('promotes a label to the workspace', async () => {
  await json(['labels', 'create', 'shared', '--color', '#112233'])
  await json(['labels', 'edit', 'shared', '--description', 'For everyone'])
  await json(['labels', 'promote', 'shared'])
  const [label] = await json<Label[]>(['labels', 'list', '--workspace'])
  assert.deepEqual([label?.name, label?.description, label?.color], ['shared', 'For everyone', '#112233'])
  await json(['labels', 'delete', 'shared', '--workspace', '--yes'])
  assert.deepEqual(await json<Label[]>(['labels', 'list', '--workspace']), [])
})

test('creates, edits, tests and deletes webhooks', async () => {
  const create = ['webhooks', 'create', 'http://example.com/hook', '--event', 'build.created']
  const webhook = await json<SingleWebhook>([...create, '--secret-stdin'], { input: 'a long secret\n' })
  assert.deepEqual([webhook.secret_configured, webhook.is_active], [true, true])
  const edited = await json<SingleWebhook>(['webhooks', 'edit', webhook.id, '--no-active'])
  assert.deepEqual([edited.is_active, edited.event], [false, 'build.created'])
  const sent = await json<WebhookRequest>(['webhooks', 'test', webhook.id])
  const deliveries = await run(['webhooks', 'deliveries', webhook.id])
  assert.match(deliveries.stdout, new RegExp(`${sent.id} +build\\.created`))
  const missing = await run(['webhooks', 'redeliver', webhook.id, 'nosuch'])
  assert.match(missing.stderr, /Delivery nosuch was not found/)
  await json(['webhooks', 'delete', webhook.id, '--yes'])
  assert.match((await run(['webhooks', 'view', webhook.id])).stderr, /was not found/)
  assert.equal((await run(['webhooks', 'create', 'http://example.com/hook'])).code, 2)
})

test('redelivers the failed deliveries of a webhook', async () => {
  // The server sends nothing to this address, so the delivery waits for its next attempt.
  const create = [
    'webhooks',
    'create',
    'http://127.0.0.1/hook',
    '--event',
    'build.created',
    '--format',
    'slack',
  ]
  const webhook = await json<SingleWebhook>(create)
  assert.equal(webhook.format, 'slack')
  await upload()
  const latest = async () =>
    (await json<SingleWebhook>(['webhooks', 'view', webhook.id])).latest_webhook_request
  while ((await latest()) === null);
  await json(['webhooks', 'edit', webhook.id, '--no-active'])
  assert.equal((await latest())?.state, 'failed')
  const inState = (state: string) =>
    json<WebhookRequest[]>(['webhooks', 'deliveries', webhook.id, '--state', state])
  assert.equal((await inState('failed')).length, 1)
  assert.deepEqual(await inState('delivered'), [])
  const redeliver = ['webhooks', 'redeliver', webhook.id]
  const future = await run([...redeliver, '--failed', '--since', '2999-01-01'])
  assert.match(future.stdout, /No deliveries to send again/)
  const selected = [...redeliver, '--failed', '--since', '1h', '--until', '2999-01-01']
  assert.match((await run(selected)).stdout, /Queued 1 delivery\./)
  assert.deepEqual(await json([...redeliver, '--since', '1d']), { redelivered_count: 0 })
  for (const args of [redeliver, [...redeliver, 'id', '--failed'], [...redeliver, '--since', 'soon']])
    assert.equal((await run(args)).code, 2)
  await json(['webhooks', 'delete', webhook.id, '--yes'])
})

test('filters the audit log', async () => {
  const { id } = await json<Stream>(['streams', 'create', 'audited'])
  const entries = await json<AuditEntry[]>(['audit', 'list', '--subject', id, '--action', 'stream.created'])
  assert.deepEqual(
    entries.map(({ action, subject }) => [action, subject.id]),
    [['stream.created', id]],
  )
  const workspace = await json<AuditEntry[]>(['audit', 'list', '--workspace', '--all'])
  assert.ok(workspace.length > 15)
})

test('revokes an API key by its name unless several active keys have it', async () => {
  const create = ['keys', 'create', 'Nightly', '--workspace', '--scope', 'builds:create']
  const first = await json<{ id: string }>(create)
  const second = await json<{ id: string }>(create)
  const ambiguous = await run(['keys', 'revoke', 'nightly', '--workspace'])
  assert.equal(ambiguous.code, 2)
  const ids = [first.id, second.id].toSorted().join(', ')
  assert.match(ambiguous.stderr, new RegExp(`Several API keys are named "nightly"\\. .*: ${ids}\\.`))
  assert.equal((await run(['keys', 'revoke', first.id, '--workspace'])).code, 0)
  assert.deepEqual(await json(['keys', 'revoke', 'nightly', '--workspace']), { id: second.id, revoked: true })
})

test('lists all API keys in lines that fit in a terminal of 80 columns', async () => {
  const scopes = 'applications:write,builds:write,share_links:write'
  for (let index = 0; index < 16; index++)
    await json(['keys', 'create', `laptop of a developer ${index}`, '--workspace', '--scope', scopes])
  const { stdout } = await run(['keys', 'list', '--workspace'], { columns: 80 })
  const lines = stdout.trimEnd().split('\n')
  assert.ok(lines.length > 16, stdout)
  assert.deepEqual(
    lines.filter((line) => line.length > 80),
    [],
  )
  assert.match(lines[0] ?? '', /^ID +NAME +PREFIX +STATE +LAST US/)
})
