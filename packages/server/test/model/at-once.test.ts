import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { versionOf } from '../contract/everything.ts'
import { startService, type Answer, type Service, type Tenant } from '../harness.ts'
import { person } from '../people.ts'
import { uploadedBuild } from '../uploading.ts'

const rounds = Math.ceil(Number(process.env['QUAYSIDE_MODEL_RUNS'] ?? 60) / 3)

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

type Place = Awaited<ReturnType<typeof createPlace>>
type Deed = (place: Place) => Promise<Answer>

async function createPlace() {
  const tenant = await service.tenant()
  const at = `/applications/${tenant.applicationId}`
  const send = (method: string, path: string, body?: object) =>
    service.call(method, path, { key: tenant.workspaceKey, ...(body === undefined ? {} : { body }) })
  const made = async (path: string, body: object): Promise<string> =>
    (await send('POST', path, body)).body.data.id
  const { build } = await uploadedBuild(service, tenant, { labels: ['one'] })
  const release = await made(`${at}/releases`, { title: 'R', ...versionOf(1), build_ids: [build.id] })
  const stream = await made(`${at}/streams`, { name: 'second' })
  const [owner, other] = [
    await person(service, tenant, { workspaceRole: 'owner', applicationRole: 'qa' }),
    await person(service, tenant, { workspaceRole: 'owner' }),
  ]
  const group = await made('/distribution-groups', { name: 'Testers' })
  await send('POST', `/distribution-groups/${group}/members`, { emails: ['a@example.com', 'b@example.com'] })
  const portal = await made('/portals', { name: 'Portal' })
  const link = (await send('POST', `${at}/builds/${build.id}/share-links`, { max_downloads: 2 })).body.data
  const label = build.labels[0].id as string
  return {
    tenant,
    at,
    send,
    build: build.id as string,
    release,
    stream,
    owner,
    other,
    group,
    portal,
    link,
    label,
  }
}

const hook = { url: 'https://example.com/hook', event: 'build.created' }
const modes = { streams_mode: 'all', releases_mode: 'selective' }

/** Writes that get into each other's way. */
const deeds: Record<string, Deed> = {
  'move the build': ({ send, at, build, stream }) => send('PUT', `${at}/builds/${build}/stream`, { stream }),
  'delete the stream': ({ send, at, stream }) => send('DELETE', `${at}/streams/${stream}?move_to=default`),
  'rename the stream': ({ send, at, stream }) =>
    send('PATCH', `${at}/streams/${stream}`, { name: 'renamed' }),
  'make a stream of that name': ({ send, at }) => send('POST', `${at}/streams`, { name: 'Renamed' }),
  'delete the label': ({ send, at, label }) => send('DELETE', `${at}/labels/${label}`),
  'promote the label': ({ send, at, label }) => send('POST', `${at}/labels/${label}/promote`, {}),
  'make it at the workspace': ({ send }) => send('POST', '/workspace/labels', { name: 'ONE' }),
  'label the build': ({ send, at, build }) =>
    send('PUT', `${at}/builds/${build}/labels`, { labels: ['one', 'two'] }),
  'label the release': ({ send, at, release }) =>
    send('PUT', `${at}/releases/${release}/labels`, { labels: ['two', 'one'] }),
  'trash the build': ({ send, at, build }) => send('DELETE', `${at}/builds/${build}`),
  'restore the build': ({ send, at, build }) => send('POST', `${at}/builds/${build}/restore`, {}),
  'edit the build': ({ send, at, build }) =>
    send('PATCH', `${at}/builds/${build}`, { notes: 'x', labels: ['two'] }),
  'share the build': ({ send, at, build }) => send('POST', `${at}/builds/${build}/share-links`, {}),
  'put it into the release': ({ send, at, build, release }) =>
    send('PUT', `${at}/releases/${release}/builds`, { build_ids: [build] }),
  'take it out': ({ send, at, build, release }) =>
    send('DELETE', `${at}/releases/${release}/builds/${build}`),
  'delete the release': ({ send, at, release }) => send('DELETE', `${at}/releases/${release}`),
  'publish it': ({ send, portal, release }) =>
    send('POST', `/portals/${portal}/releases`, { release_id: release }),
  'show it in the portal': ({ send, portal, tenant }) =>
    send('PUT', `/portals/${portal}/applications/${tenant.applicationId}`, modes),
  'hide it in the portal': ({ send, portal, tenant }) =>
    send('DELETE', `/portals/${portal}/applications/${tenant.applicationId}`),
  'delete the portal': ({ send, portal }) => send('DELETE', `/portals/${portal}`),
  'tell the group': ({ send, group, release }) =>
    send('POST', `/distribution-groups/${group}/releases`, { release_id: release, notify: true }),
  'delete the group': ({ send, group }) => send('DELETE', `/distribution-groups/${group}`),
  download: ({ link }) => service.call('POST', `${link.url}/downloads`, { key: null, body: {} }),
  'revoke the link': ({ send, link }) => send('DELETE', `/share-links/${link.id}`),
  'an owner leaves': ({ send, owner }) => send('DELETE', `/workspace/members/${owner}`),
  'the other becomes a member': ({ send, other }) =>
    send('PATCH', `/workspace/members/${other}`, { role: 'member' }),
  'a role changes': ({ send, at, owner }) => send('PATCH', `${at}/members/${owner}`, { role: 'developer' }),
  invite: ({ send }) => send('POST', '/workspace/invitations', { email: 'new@example.com', role: 'member' }),
  'one more webhook': ({ send, at }) => send('POST', `${at}/webhooks`, hook),
  upload: async ({ send, tenant }) =>
    send('POST', '/upload/request', {
      application_id: tenant.applicationId,
      platform: 'linux',
      stream: 'second',
      source: 'cli-upload',
      primary_file: { filename: 'a.zip', size_bytes: 1 },
      ...versionOf(1),
    }),
  'trash the application': ({ send, at }) => send('DELETE', at),
  'restore the application': ({ send, at }) => send('POST', `${at}/restore`, {}),
}

const names = Object.keys(deeds)

test(`${rounds} rounds of writes at once that get into each other's way, each is done or refused in order`, async () => {
  const some = fc.array(fc.constantFrom(...names), { minLength: 2, maxLength: 12 })
  const round = fc.asyncProperty(some, async (chosen) => {
    const place = await createPlace()
    const answers = await Promise.all(
      chosen.map(async (name) => ({ name, answer: await deeds[name]!(place) })),
    )
    for (const { name, answer } of answers)
      assert.ok(answer.status < 500, `${name}: ${answer.status} ${answer.text}`)
    await soundness(place.tenant)
  })
  await fc.assert(round, { numRuns: rounds })
})

test('thirty webhooks at once, ten are active', async () => {
  const { send, at } = await createPlace()
  const statuses = await Promise.all(
    Array.from({ length: 30 }, async () => (await send('POST', `${at}/webhooks`, hook)).status),
  )
  assert.equal(statuses.filter((status) => status === 201).length, 10)
  assert.equal(statuses.filter((status) => status === 409).length, 20)
})

/** What no order of writes may leave behind. */
async function soundness({ workspaceId, applicationId }: Tenant): Promise<void> {
  const { rows } = await sql<Record<string, number>>`select
    (select count(*) from workspace_members where workspace_id = ${workspaceId} and role = 'owner')::int as owners,
    (select count(*) from webhooks where application_id = ${applicationId} and is_active)::int as webhooks,
    (select count(*) from (select 1 from labels where owner_id in (${applicationId}, ${workspaceId})
      group by owner_id, lower(name) having count(*) > 1) as twice)::int as same_labels,
    (select count(*) from share_links where application_id = ${applicationId} and download_count <>
      (select count(*) from downloads where downloads.share_link_id = share_links.id))::int as miscounted,
    (select count(*) from release_notifications where email like '%@example.com'
      and release_id in (select id from releases where application_id = ${applicationId}))::int as told,
    (select count(*) from mails where workspace_id = ${workspaceId} and subject not like '%nvit%')::int as mails
  `.execute(service.deps.db)
  const [found] = rows
  assert.ok((found?.['owners'] ?? 0) >= 1, 'no owner is left')
  assert.ok((found?.['webhooks'] ?? 0) <= 10)
  assert.deepEqual([found?.['same_labels'], found?.['miscounted']], [0, 0])
  assert.ok((found?.['mails'] ?? 0) <= 2, `${found?.['mails']} mails to two people`)
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
