import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { groupCalls, groupLink } from '../../../test/distribution-groups.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { person } from '../../../test/people.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof groupCalls>

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  calls = groupCalls(service, tenant)
})
after(() => service.close())

/** As somebody without an account. */
const visit = (method: string, url: string, body?: unknown) => service.call(method, url, { key: null, body })

const gone = async (url: string, code: string) => {
  for (const answer of [await visit('GET', url), await visit('POST', `${url}/downloads`, {})])
    assert.deepEqual([answer.status, answer.body.code], [410, `group_link.${code}`])
}

const works = async (url: string) => {
  assert.equal((await visit('GET', url)).status, 200)
  assert.equal((await visit('POST', `${url}/downloads`, {})).status, 200)
}

let people = 0

/** A group whose one member was told of a release of one build. */
async function linked(of: { tenant: Tenant; calls: ReturnType<typeof groupCalls> } = { tenant, calls }) {
  const email = `visitor${(people += 1)}@example.com`
  const groupId = await of.calls.group([])
  const [memberId = ''] = await of.calls.add(groupId, [email])
  const { build, bytes } = await uploadedBuild(service, of.tenant)
  const releaseId = await of.calls.release([build.id])
  await of.calls.share(groupId, releaseId)
  return {
    email,
    groupId,
    memberId,
    releaseId,
    build,
    bytes,
    url: await groupLink(service, of.tenant, email),
  }
}

test('the link of a mail, the release and its builds are seen and downloaded without an account', async () => {
  const { email, groupId, build, bytes, url } = await linked()
  const { status, body } = await visit('GET', url)
  assert.equal(status, 200)
  const { builds, application_name, ...rest } = body.data
  const download_url = `${url}/download`
  assert.deepEqual(rest, { title: 'Big news', version: '1.2.3', notes: '# News', download_url })
  assert.match(application_name, /^App /)
  assert.equal(builds[0].id, build.id)
  for (const secret of ['scm', 'ci_pipeline', 'stream', 'labels', 'download_url'])
    assert.ok(!(secret in builds[0]), secret)
  const download = await visit('POST', `${url}/downloads`, {})
  const file = await fetch(download.body.primary_file.temp_url)
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
  const rows = await service.deps.db
    .selectFrom('downloads')
    .selectAll()
    .where('build_id', '=', build.id)
    .execute()
  assert.equal(rows.length, 1)
  const { way, distribution_group_id, email: by, address } = rows[0]!
  assert.deepEqual([way, distribution_group_id, by], ['distribution-group', groupId, email])
  assert.notEqual(address, null)
})

test('the download of a personal link by a browser, the bytes and a record, of a HEAD neither', async () => {
  const { email, groupId, memberId, build, bytes, url } = await linked()
  const agent = { 'user-agent': 'Browser/1' }
  const head = await fetch(`${url}/download`, { method: 'HEAD', redirect: 'manual', headers: agent })
  assert.deepEqual([head.status, head.headers.get('location')], [302, null])
  const file = await fetch(`${url}/download`, { headers: agent })
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
  const rows = await service.deps.db
    .selectFrom('downloads')
    .select(['way', 'distribution_group_id', 'email', 'file_id', 'user_agent'])
    .where('build_id', '=', build.id)
    .execute()
  assert.deepEqual(rows, [
    {
      way: 'distribution-group',
      distribution_group_id: groupId,
      email,
      file_id: build.primary_file.id,
      user_agent: 'Browser/1',
    },
  ])
  assert.equal((await visit('GET', `${url}/download?build_id=nothing`)).status, 422)
  assert.equal((await visit('GET', `${url}x/download`)).status, 404)
  await calls.send('DELETE', `/${groupId}/members/${memberId}`)
  assert.equal((await visit('GET', `${url}/download`)).body.code, 'group_link.not_a_member')
})

test('a wrong token, a token of another link and no link at all, the same 404', async () => {
  const [one, other] = [(await linked()).url, (await linked()).url]
  const id = one.split('/').at(-2)!
  const wrong = [
    `${one}x`,
    one.slice(0, -1),
    other.replace(other.split('/').at(-2)!, id),
    one.replace(id, '0198c0de-0000-7000-8000-000000000000'),
    one.replace(id, id.toUpperCase()),
    one.replace(id, 'nothing'),
  ]
  const answers = await Promise.all(
    wrong.flatMap((url) => [visit('GET', url), visit('POST', `${url}/downloads`, {})]),
  )
  const texts = answers.map(({ status, text }) => `${status} ${text.replace(/"request_id":"[^"]*"/, '')}`)
  assert.equal(new Set(texts).size, 1)
  assert.match(texts[0]!, /^404 /)
})

test('whoever leaves the group, the link stops, and works again with the person back', async () => {
  const { email, groupId, memberId, url } = await linked()
  await calls.send('DELETE', `/${groupId}/members/${memberId}`)
  await gone(url, 'not_a_member')
  await calls.add(groupId, [email.toUpperCase()])
  await works(url)
  await calls.send('POST', `/${groupId}/members/remove`, { emails: [email] })
  await gone(url, 'not_a_member')
})

test('a person in two groups with the release, the link works until the last is left', async () => {
  const { email, groupId, memberId, releaseId, url } = await linked()
  const second = await calls.group([email])
  await calls.share(second, releaseId)
  await calls.send('DELETE', `/${groupId}/members/${memberId}`)
  await works(url)
  await calls.send('PATCH', `/${second}`, { is_active: false })
  await gone(url, 'group_inactive')
  await calls.send('PATCH', `/${second}`, { is_active: true })
  await works(url)
  await calls.send('DELETE', `/${second}`)
  await gone(url, 'not_a_member')
})

test('a release taken away from the group, the link stops, and works again with the release back', async () => {
  const { groupId, releaseId, url } = await linked()
  await calls.send('DELETE', `/${groupId}/releases/${releaseId}`)
  await gone(url, 'release_withdrawn')
  await calls.share(groupId, releaseId, false)
  await works(url)
})

test('a group switched off or deleted, the link stops and says so', async () => {
  const { groupId, url } = await linked()
  await calls.send('PATCH', `/${groupId}`, { is_active: false })
  await gone(url, 'group_inactive')
  await calls.send('DELETE', `/${groupId}`)
  await gone(url, 'release_withdrawn')
})

test('a deleted release, the link says so', async () => {
  const { releaseId, url } = await linked()
  const path = `/applications/${tenant.applicationId}/releases/${releaseId}`
  await service.call('DELETE', path, { key: tenant.workspaceKey })
  await gone(url, 'release_deleted')
})

test('an application in the trash, the link stops, and works again after the restore', async () => {
  const own = await service.tenant()
  const { url } = await linked({ tenant: own, calls: groupCalls(service, own) })
  const path = `/applications/${own.applicationId}`
  await service.call('DELETE', path, { key: own.workspaceKey })
  await gone(url, 'application_deleted')
  await service.call('POST', `${path}/restore`, { key: own.workspaceKey })
  await works(url)
})

test('an internal group, the link stops with the membership in the workspace', async () => {
  const email = 'insider@example.com'
  const id = await person(service, tenant, { email })
  const { groupId, url } = await linked()
  const path = `/${groupId}/members/remove`
  const other = url
  await calls.send('POST', path, { emails: [`visitor${people}@example.com`] })
  await calls.add(groupId, [email])
  assert.equal((await calls.send('PATCH', `/${groupId}`, { type: 'internal' })).status, 200)
  const release = (await calls.send('GET', `/${groupId}/releases`)).body.data[0].id
  await calls.share(groupId, release)
  const mine = await groupLink(service, tenant, email)
  await works(mine)
  await gone(other, 'not_a_member')
  await service.call('DELETE', `/workspace/members/${id}`, { key: tenant.workspaceKey })
  await gone(mine, 'not_a_member')
})

test('a build in the trash, neither seen nor downloaded until it is restored', async () => {
  const { build, url } = await linked()
  const path = `/applications/${tenant.applicationId}/builds/${build.id}`
  await service.call('DELETE', path, { key: tenant.workspaceKey })
  assert.deepEqual((await visit('GET', url)).body.data.builds, [])
  const none = await visit('POST', `${url}/downloads`, {})
  assert.deepEqual([none.status, none.body.code], [409, 'group_link.no_builds'])
  await service.call('POST', `${path}/restore`, { key: tenant.workspaceKey })
  await works(url)
})

test('a release of several builds, each is downloaded by its id and no other', async () => {
  const { releaseId, build, url } = await linked()
  const more = (await uploadedBuild(service, tenant)).build
  const stranger = (await uploadedBuild(service, tenant)).build
  const path = `/applications/${tenant.applicationId}/releases/${releaseId}/builds/${more.id}`
  await service.call('POST', path, { key: tenant.workspaceKey })
  const download = (build_id?: string) => visit('POST', `${url}/downloads`, { build_id })
  for (const id of [build.id, more.id]) assert.equal((await download(id)).status, 200)
  assert.deepEqual(Object.keys((await download()).body.errors), ['build_id'])
  const [foreign, nothing] = [await download(stranger.id), await download('nothinghere')]
  assert.equal(foreign.status, 404)
  assert.deepEqual({ ...foreign.body, request_id: '' }, { ...nothing.body, request_id: '' })
})

for (const [what, table, column] of [
  ['the member', 'distribution_group_members', 'distribution_group_id'],
  ['the release', 'distribution_group_releases', 'distribution_group_id'],
  ['the group', 'distribution_groups', 'id'],
] as const) {
  test(`${what} being taken away, a download waits for the outcome and is refused`, async () => {
    const { groupId, build, url } = await linked()
    const tx = await service.deps.db.startTransaction().execute()
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${groupId}`.execute(tx)
    const download = visit('POST', `${url}/downloads`, {})
    const outcome = await Promise.race([download, somebodyWaits()])
    assert.equal(outcome, 'waits')
    await tx.commit().execute()
    assert.equal((await download).status, 410)
    assert.equal(await downloadsOf(build.id), 0)
  })
}

async function downloadsOf(buildId: string): Promise<number> {
  const { db } = service.deps
  return (await db.selectFrom('downloads').select('id').where('build_id', '=', buildId).execute()).length
}

/** Once a statement waits for the lock of another. */
async function somebodyWaits(): Promise<'waits' | undefined> {
  for (const until = Date.now() + 20_000; Date.now() < until; await pause(10)) {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(service.deps.db)
    if (rows.length > 0) return 'waits'
  }
  return undefined
}

for (const [what, revoke] of [
  ['the member', ({ groupId, memberId }) => calls.send('DELETE', `/${groupId}/members/${memberId}`)],
  ['the release', ({ groupId, releaseId }) => calls.send('DELETE', `/${groupId}/releases/${releaseId}`)],
  ['the group', ({ groupId }) => calls.send('DELETE', `/${groupId}`)],
  ['the activity', ({ groupId }) => calls.send('PATCH', `/${groupId}`, { is_active: false })],
] satisfies [string, (made: Awaited<ReturnType<typeof linked>>) => Promise<{ status: number }>][]) {
  test(`${what} taken away amid forty downloads, none is kept after the answer`, async () => {
    const made = await linked()
    const count = () => downloadsOf(made.build.id)
    let kept = -1
    const downloads = Array.from({ length: 40 }, () => visit('POST', `${made.url}/downloads`, {}))
    const revoked = revoke(made).then(async ({ status }) => {
      kept = await count()
      return status
    })
    const statuses = (await Promise.all(downloads)).map(({ status }) => status)
    assert.equal(await revoked, 200)
    assert.ok(statuses.every((status) => [200, 410].includes(status)))
    assert.equal(await count(), kept)
    assert.equal(statuses.filter((status) => status === 200).length, kept)
  })
}
