import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createClient, type QuaysideClient } from '@quayside/sdk'
import { createExport } from '../../packages/server/src/operations/export/create-export.ts'
import { runImport } from '../../packages/server/src/operations/import/run-import.ts'
import { compareWorkspaces, readIdMap } from '../../packages/server/test/compare-workspaces.ts'
import { databaseUrl } from '../../packages/server/test/database.ts'
import { startOwnService, type Service } from '../../packages/server/test/harness.ts'
import { demoSettings } from './demo-settings.ts'
import { insertManyBuilds } from './many-builds.db.ts'
import { copyPreparedDemo } from './prepared-demo.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { seedDemo } from './seed-demo.ts'

const key = 'key-of-the-demo-workspace-0123456789'
let service: Service
let receiver: Receiver
let client: QuaysideClient
let connectionString: string

before(async () => {
  const prepared = await copyPreparedDemo()
  receiver = await startReceiver()
  service = await startOwnService({
    environment: { ...demoSettings, QUAYSIDE_BOOTSTRAP_KEY: key },
    sendsWebhooks: true,
    ...(prepared === undefined ? {} : { state: prepared }),
  })
  connectionString = databaseUrl(service.state.connection)
  client = createClient({ baseUrl: service.url, apiKey: key })
  if (prepared !== undefined) return
  await seedDemo({
    url: service.url,
    key,
    databaseUrl: connectionString,
    receiverUrl: receiver.url,
    size: 'small',
  })
})
after(async () => {
  await service.close()
  await receiver.close()
})

const listApplications = async () => (await client.listApplications({ per_page: 100 })).data
/** Returns the items in the lists of all applications, each with the ID of its application. */
const inApplications = async <T>(list: (application_id: string) => Promise<{ data: T[] }>) => {
  const lists = (await listApplications()).map(async ({ id: application_id }) =>
    (await list(application_id)).data.map((item) => ({ ...item, application_id })),
  )
  return (await Promise.all(lists)).flat()
}
const listBuilds = (fields: object = {}) =>
  inApplications((application_id) => client.listBuilds({ application_id, per_page: 100, ...fields }))
/** Returns the values without duplicates, in alphabetical order. */
const distinct = (values: readonly (string | null)[]) =>
  [...new Set(values.map(String))].toSorted((a, b) => a.localeCompare(b))

test('the workspace has applications with icons, members and invitations in every state', async () => {
  const applications = await listApplications()
  assert.equal(applications.length, 5)
  for (const { name, icon_url } of applications) assert.ok(icon_url, name)
  assert.equal((await client.listWorkspaceMembers({ per_page: 100 })).data.length, 12)
  const { data: invitations } = await client.listInvitations({ per_page: 100 })
  assert.deepEqual(distinct(invitations.map(({ status }) => status)), [
    'accepted',
    'expired',
    'open',
    'revoked',
  ])
  const { data: keys } = await client.listWorkspaceApiKeys({ per_page: 100 })
  assert.ok(keys.some(({ revoked_at }) => revoked_at !== null))
})

test('builds are spread over the past and their versions increase with time', async () => {
  const builds = await listBuilds()
  const times = builds.map(({ created_at }) => Date.now() - Date.parse(created_at))
  assert.ok(Math.max(...times) > 30 * 24 * 60 * 60 * 1000)
  assert.ok(Math.min(...times) > 0)
  const stable = await Promise.all(
    (await listApplications()).map(({ id }) =>
      client.listBuilds({ application_id: id, streams: 'stable', sort_by: 'created_at', sort: 'asc' }),
    ),
  )
  for (const { data } of stable) {
    const versions = data.map(({ version }) => version)
    assert.ok(versions.length > 0)
    assert.deepEqual(versions, versions.toSorted(new Intl.Collator('en', { numeric: true }).compare))
  }
  assert.equal(distinct(builds.map(({ stream }) => stream.name)).length, 4)
})

test('builds have packages that were read, one that was not, labels, artifacts, expiry and trash', async () => {
  const builds = await listBuilds()
  const described = await Promise.all(
    builds
      .filter(({ icon_url }) => icon_url !== null)
      .map(({ id, application_id }) => client.getBuild({ application_id, build_id: id })),
  )
  const formats = described.map(({ data }) => data.file_info?.format ?? null)
  assert.deepEqual(distinct(formats), ['apk', 'ipa', 'pe'])
  const android = described.find(({ data }) => data.android_info !== null)?.data.android_info
  assert.equal(android?.package_signed, true)
  assert.ok((android?.permissions.length ?? 0) > 5)
  assert.equal(builds.filter(({ processing_error }) => processing_error !== null).length, 1)
  assert.ok(described.some(({ data }) => data.metadata_artifacts.length === 3))
  assert.ok(builds.some(({ labels }) => labels.length > 0))
  assert.ok(builds.some(({ keep_forever }) => keep_forever))
  const week = Date.now() + 7 * 24 * 60 * 60 * 1000
  assert.ok(builds.some(({ expires_at }) => expires_at !== null && Date.parse(expires_at) < week))
  assert.ok((await listBuilds({ trashed: true })).length > 0)
})

test('releases, share links and webhook requests are in every state', async () => {
  const releases = await inApplications((application_id) =>
    client.listReleases({ application_id, per_page: 100 }),
  )
  assert.deepEqual(distinct(releases.map(({ status }) => status)), [
    'draft',
    'published',
    'scheduled',
    'withdrawn',
  ])

  const ofReleases = await Promise.all(
    releases.map(({ id, application_id }) =>
      client.listReleaseShareLinks({ application_id, release_id: id }),
    ),
  )
  const ofBuilds = await Promise.all(
    (await listBuilds({ streams: 'beta' })).map(({ id, application_id }) =>
      client.listBuildShareLinks({ application_id, build_id: id }),
    ),
  )
  const links = [...ofReleases, ...ofBuilds].flatMap(({ data }) => data)
  assert.ok(links.some(({ expired }) => expired))
  assert.ok(links.some(({ is_active }) => !is_active))
  assert.ok(links.some(({ password_protected }) => password_protected))
  assert.ok(links.some(({ max_downloads, download_count }) => max_downloads === download_count))

  const requests = await inApplications(async (application_id) => {
    const { data: webhooks } = await client.listWebhooks({ application_id, per_page: 100 })
    const pages = webhooks.map(({ id }) =>
      client.listWebhookRequests({ application_id, webhook_id: id, per_page: 100 }),
    )
    return { data: (await Promise.all(pages)).flatMap(({ data }) => data) }
  })
  assert.deepEqual(distinct(requests.map(({ state }) => state)), ['delivered', 'failed', 'waiting'])
})

test('installed copies move from version to version of each channel', async () => {
  const channels = await inApplications((application_id) => client.listChannels({ application_id }))
  assert.ok(channels.length >= 2)
  for (const { id: channel_id, application_id } of channels) {
    const { data } = await client.getChannelAdoption({ application_id, channel_id })
    assert.ok(data.versions.length >= 2)
    assert.ok(data.health.every(({ last_request_at }) => last_request_at !== null))
  }
})

test('the audit log names the people who did the work', async () => {
  const { data: entries } = await client.listAuditLog({ per_page: 100, sort: 'desc' })
  assert.ok(distinct(entries.map(({ actor }) => actor.name)).length >= 5)
  assert.ok(entries.every(({ actor }) => actor.kind !== 'bootstrap-key'))
})

test('an export of the workspace, imported on another server, gives the same responses', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-demo-export-'))
  const target = await startOwnService({ environment: { ...demoSettings, QUAYSIDE_BOOTSTRAP_KEY: key } })
  try {
    const { data: workspace } = await client.getWorkspace({})
    // Waiting requests stay with the server that sends them.
    await service.deps.db
      .updateTable('webhook_requests')
      .set({ state: 'failed', next_attempt_at: null })
      .where('state', '=', 'waiting')
      .execute()
    const passphrase = 'a passphrase of the tests'
    const onProgress = () => {}
    await createExport({
      folder,
      scope: { workspaceId: workspace.id, applicationId: null },
      config: { dataDir: service.dataDir, publicUrl: service.url },
      connection: service.state.connection,
      storage: service.deps.storage,
      secret: await readFile(join(service.dataDir, 'secret'), 'utf8').then((text) => text.trim()),
      passphrase,
      onProgress,
    })
    const { body } = await target.call('GET', '/workspace', { key })
    const { idMapPath } = await runImport({
      ...target.deps,
      folder,
      publicUrl: target.url,
      workspaceId: body.data.id as string,
      passphrase,
      skipsSecrets: false,
      isRepeated: false,
      trustedKey: undefined,
      onProgress,
    })
    const calls = await compareWorkspaces(
      { url: service.url, call: service.call, key, db: service.deps.db },
      { url: target.url, call: target.call, key, db: target.deps.db },
      { workspaceId: workspace.id, newIds: await readIdMap(idMapPath) },
    )
    const unused = Object.keys(calls).filter((name) => calls[name] === 0)
    assert.deepEqual(unused, [], 'every endpoint was compared')
  } finally {
    await target.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('inserts many builds with totals that match', async () => {
  const [application] = await listApplications()
  assert.ok(application)
  const { data, pagination } = await client.listBuilds({ application_id: application.id, per_page: 1 })
  const [build] = data
  assert.ok(build)
  await insertManyBuilds(connectionString, [
    {
      applicationId: application.id,
      buildId: build.id,
      count: 1_000,
    },
  ])
  const after = await client.listBuilds({ application_id: application.id, per_page: 100 })
  assert.equal(after.pagination.total, pagination.total + 1_000)
})
