import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { isFullSize } from '../acceptance/full-size.ts'
import { startOwnService, type ApiResponse, type Service, type Tenant } from '../harness.ts'
import { insertMember } from '../people.ts'
import { uploadedBuild, versionOf } from '../uploading.ts'

const rounds = Math.ceil(Number(process.env['QUAYSIDE_MODEL_RUNS'] ?? (isFullSize ? 60 : 20)) / 3)

let service: Service
before(async () => {
  service = await startOwnService()
})
after(() => service.close())

type Fixture = Awaited<ReturnType<typeof createFixture>>
type Write = (fixture: Fixture) => Promise<ApiResponse>

async function createFixture() {
  const tenant = await service.tenant()
  const base = `/applications/${tenant.applicationId}`
  const send = (method: string, path: string, body?: object) =>
    service.call(method, path, { key: tenant.workspaceKey, ...(body === undefined ? {} : { body }) })
  const create = async (path: string, body: object): Promise<string> =>
    (await send('POST', path, body)).body.data.id
  const { build } = await uploadedBuild(service, tenant, { labels: ['one'] })
  const release = await create(`${base}/releases`, { title: 'R', ...versionOf(1), build_ids: [build.id] })
  const draft = await create(`${base}/releases`, {
    title: 'D',
    ...versionOf(2),
    build_ids: [build.id],
    draft: true,
  })
  const stream = await create(`${base}/streams`, { name: 'second' })
  const [owner, other] = [
    await insertMember(service, tenant, { workspaceRole: 'owner', applicationRole: 'qa' }),
    await insertMember(service, tenant, { workspaceRole: 'owner' }),
  ]
  const group = await create('/distribution-groups', { name: 'Testers' })
  await send('POST', `/distribution-groups/${group}/members`, { emails: ['a@example.com', 'b@example.com'] })
  const portal = await create('/portals', { name: 'Portal' })
  const link = (await send('POST', `${base}/builds/${build.id}/share-links`, { max_downloads: 2 })).body.data
  const label = build.labels[0].id as string
  return {
    tenant,
    base,
    send,
    build: build.id as string,
    release,
    draft,
    stream,
    owner,
    other,
    group,
    portal,
    link,
    label,
  }
}

const webhook = { url: 'https://example.com/hook', event: 'build.created' }
const modes = { streams_mode: 'all', releases_mode: 'selective' }

/** Writes that conflict with each other. */
const writes: Record<string, Write> = {
  'move the build': ({ send, base, build, stream }) =>
    send('PUT', `${base}/builds/${build}/stream`, { stream }),
  'delete the stream': ({ send, base, stream }) =>
    send('DELETE', `${base}/streams/${stream}?move_to=default`),
  'rename the stream': ({ send, base, stream }) =>
    send('PATCH', `${base}/streams/${stream}`, { name: 'renamed' }),
  'create a stream with the new name': ({ send, base }) =>
    send('POST', `${base}/streams`, { name: 'Renamed' }),
  'delete the label': ({ send, base, label }) => send('DELETE', `${base}/labels/${label}`),
  'promote the label': ({ send, base, label }) => send('POST', `${base}/labels/${label}/promote`, {}),
  'create the label in the workspace': ({ send }) => send('POST', '/workspace/labels', { name: 'ONE' }),
  'label the build': ({ send, base, build }) =>
    send('PUT', `${base}/builds/${build}/labels`, { labels: ['one', 'two'] }),
  'label the release': ({ send, base, release }) =>
    send('PUT', `${base}/releases/${release}/labels`, { labels: ['two', 'one'] }),
  'trash the build': ({ send, base, build }) => send('DELETE', `${base}/builds/${build}`),
  'trash the build by force': ({ send, base, build }) => send('DELETE', `${base}/builds/${build}?force=true`),
  'restore the build': ({ send, base, build }) => send('POST', `${base}/builds/${build}/restore`, {}),
  'edit the build': ({ send, base, build }) =>
    send('PATCH', `${base}/builds/${build}`, { notes: 'x', labels: ['two'] }),
  'share the build': ({ send, base, build }) => send('POST', `${base}/builds/${build}/share-links`, {}),
  'add the build to the release': ({ send, base, build, release }) =>
    send('PUT', `${base}/releases/${release}/builds`, { build_ids: [build] }),
  'remove the build from the release': ({ send, base, build, release }) =>
    send('DELETE', `${base}/releases/${release}/builds/${build}`),
  'delete the release': ({ send, base, release }) => send('DELETE', `${base}/releases/${release}`),
  'publish the draft': ({ send, base, draft }) => send('POST', `${base}/releases/${draft}/publish`),
  'publish the draft again': ({ send, base, draft }) => send('POST', `${base}/releases/${draft}/publish`),
  'schedule the draft': ({ send, base, draft }) =>
    send('POST', `${base}/releases/${draft}/schedule`, { scheduled_for: '2099-01-01T00:00:00Z' }),
  'withdraw the draft': ({ send, base, draft }) => send('POST', `${base}/releases/${draft}/withdraw`),
  'delete the draft': ({ send, base, draft }) => send('DELETE', `${base}/releases/${draft}`),
  'notify the group of the draft': ({ send, group, draft }) =>
    send('POST', `/distribution-groups/${group}/releases`, { release_id: draft, notify: true }),
  'withdraw the release': ({ send, base, release }) => send('POST', `${base}/releases/${release}/withdraw`),
  'publish the release': ({ send, portal, release }) =>
    send('POST', `/portals/${portal}/releases`, { release_id: release }),
  'add the application to the portal': ({ send, portal, tenant }) =>
    send('PUT', `/portals/${portal}/applications/${tenant.applicationId}`, modes),
  'remove the application from the portal': ({ send, portal, tenant }) =>
    send('DELETE', `/portals/${portal}/applications/${tenant.applicationId}`),
  'delete the portal': ({ send, portal }) => send('DELETE', `/portals/${portal}`),
  'notify the group': ({ send, group, release }) =>
    send('POST', `/distribution-groups/${group}/releases`, { release_id: release, notify: true }),
  'delete the group': ({ send, group }) => send('DELETE', `/distribution-groups/${group}`),
  'download through the link': ({ link }) =>
    service.call('POST', `${link.url}/downloads`, { key: null, body: {} }),
  'delete the link': ({ send, link }) => send('DELETE', `/share-links/${link.id}`),
  'remove an owner': ({ send, owner }) => send('DELETE', `/workspace/members/${owner}`),
  'demote the other owner': ({ send, other }) =>
    send('PATCH', `/workspace/members/${other}`, { role: 'member' }),
  'change a role': ({ send, base, owner }) =>
    send('PATCH', `${base}/members/${owner}`, { role: 'developer' }),
  'invite a person': ({ send }) =>
    send('POST', '/workspace/invitations', { email: 'new@example.com', role: 'member' }),
  'create a webhook': ({ send, base }) => send('POST', `${base}/webhooks`, webhook),
  'request an upload': async ({ send, tenant }) =>
    send('POST', '/upload/request', {
      application_id: tenant.applicationId,
      platform: 'linux',
      stream: 'second',
      source: 'cli-upload',
      primary_file: { filename: 'a.zip', size_bytes: 1 },
      ...versionOf(1),
    }),
  'trash the application': ({ send, base }) => send('DELETE', base),
  'restore the application': ({ send, base }) => send('POST', `${base}/restore`, {}),
}

const names = Object.keys(writes)

test(`returns no 5xx and preserves all invariants during ${rounds} rounds of conflicting concurrent writes`, async () => {
  const sets = fc.array(fc.constantFrom(...names), { minLength: 2, maxLength: 12 })
  const round = fc.asyncProperty(sets, async (chosen) => {
    const fixture = await createFixture()
    const responses = await Promise.all(
      chosen.map(async (name) => ({ name, response: await writes[name]!(fixture) })),
    )
    for (const { name, response } of responses)
      assert.ok(response.status < 500, `${name}: ${response.status} ${response.text}`)
    await assertInvariants(fixture.tenant)
  })
  await fc.assert(round, { numRuns: rounds })
})

test('creates only 10 active webhooks when 30 are requested concurrently', async () => {
  const { send, base } = await createFixture()
  const statuses = await Promise.all(
    Array.from({ length: 30 }, async () => (await send('POST', `${base}/webhooks`, webhook)).status),
  )
  assert.equal(statuses.filter((status) => status === 201).length, 10)
  assert.equal(statuses.filter((status) => status === 409).length, 20)
})

/** Asserts the invariants that hold after writes in any order. */
async function assertInvariants({ workspaceId, applicationId }: Tenant): Promise<void> {
  const { rows } = await sql<Record<string, number>>`select
    (select count(*) from workspace_members where workspace_id = ${workspaceId} and role = 'owner')::int as owners,
    (select count(*) from webhooks where application_id = ${applicationId} and is_active)::int as webhooks,
    (select count(*) from (select 1 from labels where owner_id in (${applicationId}, ${workspaceId})
      group by owner_id, lower(name) having count(*) > 1) as duplicated)::int as duplicate_labels,
    (select count(*) from share_links where application_id = ${applicationId} and download_count <>
      (select count(*) from downloads where downloads.share_link_id = share_links.id))::int as miscounted,
    (select count(*) from mails where workspace_id = ${workspaceId} and subject not like '%nvit%')::int as mails,
    (select count(*) from (select 1 from events where application_id = ${applicationId} and name = 'release.created'
      group by data->'release'->>'id' having count(*) > 1) as repeated)::int as repeated_publications
  `.execute(service.deps.db)
  const [counts] = rows
  assert.ok((counts?.['owners'] ?? 0) >= 1, 'no owner is left')
  assert.ok((counts?.['webhooks'] ?? 0) <= 10)
  assert.deepEqual(
    [counts?.['duplicate_labels'], counts?.['miscounted'], counts?.['repeated_publications']],
    [0, 0, 0],
  )
  assert.ok((counts?.['mails'] ?? 0) <= 4, `${counts?.['mails']} mails to two people about two releases`)
  const builds = await service.deps.db
    .selectFrom('builds')
    .select('stream_id')
    .where('application_id', '=', applicationId)
    .execute()
  const streams = await service.deps.db
    .selectFrom('streams')
    .select('id')
    .where('application_id', '=', applicationId)
    .execute()
  for (const { stream_id } of builds) assert.ok(streams.some(({ id }) => id === stream_id))
}
