import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { groupCalls, groupLink } from '../../../test/distribution-groups.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { untilLockWait } from '../../../test/lock-waits.ts'
import { insertMember } from '../../../test/people.ts'
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

/** Sends a request without an API key. */
const sendPublic = (method: string, url: string, body?: unknown) =>
  service.call(method, url, { key: null, body })

const assertGone = async (url: string, code: string) => {
  for (const response of [await sendPublic('GET', url), await sendPublic('POST', `${url}/downloads`, {})])
    assert.deepEqual([response.status, response.body.code], [410, `group_link.${code}`])
}

const assertWorks = async (url: string) => {
  assert.equal((await sendPublic('GET', url)).status, 200)
  assert.equal((await sendPublic('POST', `${url}/downloads`, {})).status, 200)
}

let linkCount = 0

/** Creates a group whose only member was notified of a release with one build. */
async function createLink(
  owner: { tenant: Tenant; calls: ReturnType<typeof groupCalls> } = { tenant, calls },
) {
  const email = `visitor${(linkCount += 1)}@example.com`
  const groupId = await owner.calls.group([])
  const [memberId = ''] = await owner.calls.add(groupId, [email])
  const { build, bytes } = await uploadedBuild(service, owner.tenant)
  const releaseId = await owner.calls.release([build.id])
  await owner.calls.share(groupId, releaseId)
  return {
    email,
    groupId,
    memberId,
    releaseId,
    build,
    bytes,
    url: await groupLink(service, owner.tenant, email),
  }
}

test('lets a recipient view and download a release through an emailed link without an account', async () => {
  const { email, groupId, build, bytes, url } = await createLink()
  const { status, body } = await sendPublic('GET', url)
  assert.equal(status, 200)
  const { builds, application_name, ...rest } = body.data
  const download_url = `${url}/download`
  assert.deepEqual(rest, { title: 'Big news', version: '1.2.3', notes: '# News', download_url })
  assert.match(application_name, /^App /)
  assert.equal(builds[0].id, build.id)
  for (const secret of ['scm', 'ci_pipeline', 'stream', 'labels', 'download_url'])
    assert.ok(!(secret in builds[0]), secret)
  const download = await sendPublic('POST', `${url}/downloads`, {})
  const file = await fetch(download.body.primary_file.temp_url)
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
  const rows = await service.deps.db
    .selectFrom('downloads')
    .selectAll()
    .where('build_id', '=', build.id)
    .execute()
  assert.equal(rows.length, 1)
  const { channel, distribution_group_id, email: recipient, address } = rows[0]!
  assert.deepEqual([channel, distribution_group_id, recipient], ['distribution-group', groupId, email])
  assert.notEqual(address, null)
})

test('lists who downloaded which build through the links of a group, and the latest download of each', async () => {
  const { email, groupId, build, url } = await createLink()
  const { email: otherEmail, url: otherUrl } = await createLink()
  for (const link of [url, otherUrl])
    assert.equal((await sendPublic('POST', `${link}/downloads`, {})).status, 200)
  const path = `/distribution-groups/${groupId}/downloads`
  const { body } = await service.call('GET', path, { key: tenant.workspaceKey })
  assert.equal(body.pagination.total, 1)
  const { email: recipient, build_id, application_id, version, platform } = body.data[0]
  assert.deepEqual(
    [recipient, build_id, application_id, version, platform],
    [email, build.id, tenant.applicationId, build.version, build.platform],
  )
  assert.ok(!JSON.stringify(body).includes(otherEmail))
  const membersPath = `/distribution-groups/${groupId}/members`
  const { data } = (await service.call('GET', membersPath, { key: tenant.workspaceKey })).body
  assert.equal(data[0].latest_download.build_id, build.id)
})

test('returns the file URL and records a download for GET requests but not for HEAD requests', async () => {
  const { email, groupId, memberId, build, bytes, url } = await createLink()
  const agent = { 'user-agent': 'Browser/1' }
  const head = await fetch(`${url}/download`, { method: 'HEAD', redirect: 'manual', headers: agent })
  assert.deepEqual([head.status, head.headers.get('location')], [302, null])
  const file = await fetch(`${url}/download`, { headers: agent })
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
  const rows = await service.deps.db
    .selectFrom('downloads')
    .select(['channel', 'distribution_group_id', 'email', 'file_id', 'user_agent'])
    .where('build_id', '=', build.id)
    .execute()
  assert.deepEqual(rows, [
    {
      channel: 'distribution-group',
      distribution_group_id: groupId,
      email,
      file_id: build.primary_file.id,
      user_agent: 'Browser/1',
    },
  ])
  for (const field of ['build_id', 'file_id']) {
    const { status, body } = await sendPublic('GET', `${url}/download?${field}=nothing`)
    assert.deepEqual([status, Object.keys(body.errors)], [422, [field]])
  }
  assert.equal((await sendPublic('GET', `${url}x/download`)).status, 404)
  await calls.send('DELETE', `/${groupId}/members/${memberId}`)
  assert.equal((await sendPublic('GET', `${url}/download`)).body.code, 'group_link.not_a_member')
})

test('returns the same 404 response for an invalid token, a token for another link and an unknown link', async () => {
  const [one, other] = [(await createLink()).url, (await createLink()).url]
  const id = one.split('/').at(-2)!
  const wrong = [
    `${one}x`,
    one.slice(0, -1),
    other.replace(other.split('/').at(-2)!, id),
    one.replace(id, '0198c0de-0000-7000-8000-000000000000'),
    one.replace(id, id.toUpperCase()),
    one.replace(id, 'nothing'),
  ]
  const responses = await Promise.all(
    wrong.flatMap((url) => [sendPublic('GET', url), sendPublic('POST', `${url}/downloads`, {})]),
  )
  const texts = responses.map(({ status, text }) => `${status} ${text.replace(/"request_id":"[^"]*"/, '')}`)
  assert.equal(new Set(texts).size, 1)
  assert.match(texts[0]!, /^404 /)
})

test('disables a link while its recipient is not a member of the group', async () => {
  const { email, groupId, memberId, url } = await createLink()
  await calls.send('DELETE', `/${groupId}/members/${memberId}`)
  await assertGone(url, 'not_a_member')
  await calls.add(groupId, [email.toUpperCase()])
  await assertWorks(url)
  await calls.send('POST', `/${groupId}/members/remove`, { emails: [email] })
  await assertGone(url, 'not_a_member')
})

test('accepts a link while its recipient belongs to any active group that includes the release', async () => {
  const { email, groupId, memberId, releaseId, url } = await createLink()
  const second = await calls.group([email])
  await calls.share(second, releaseId)
  await calls.send('DELETE', `/${groupId}/members/${memberId}`)
  await assertWorks(url)
  await calls.send('PATCH', `/${second}`, { is_active: false })
  await assertGone(url, 'group_inactive')
  await calls.send('PATCH', `/${second}`, { is_active: true })
  await assertWorks(url)
  await calls.send('DELETE', `/${second}`)
  await assertGone(url, 'not_a_member')
})

test('disables a link while its release is not in the group', async () => {
  const { groupId, releaseId, url } = await createLink()
  await calls.send('DELETE', `/${groupId}/releases/${releaseId}`)
  await assertGone(url, 'release_withdrawn')
  await calls.share(groupId, releaseId, false)
  await assertWorks(url)
})

test('disables a link when its group is deactivated or deleted', async () => {
  const { groupId, url } = await createLink()
  await calls.send('PATCH', `/${groupId}`, { is_active: false })
  await assertGone(url, 'group_inactive')
  await calls.send('DELETE', `/${groupId}`)
  await assertGone(url, 'release_withdrawn')
})

test('returns 410 for a link whose release has been deleted', async () => {
  const { releaseId, url } = await createLink()
  const path = `/applications/${tenant.applicationId}/releases/${releaseId}`
  await service.call('DELETE', path, { key: tenant.workspaceKey })
  await assertGone(url, 'release_deleted')
})

test('disables a link while the application of its release is in the trash', async () => {
  const own = await service.tenant()
  const { url } = await createLink({ tenant: own, calls: groupCalls(service, own) })
  const path = `/applications/${own.applicationId}`
  await service.call('DELETE', path, { key: own.workspaceKey })
  await assertGone(url, 'application_deleted')
  await service.call('POST', `${path}/restore`, { key: own.workspaceKey })
  await assertWorks(url)
})

test('disables a link sent to a member of an internal group when the member leaves the workspace', async () => {
  const email = 'colleague@example.com'
  const id = await insertMember(service, tenant, { email })
  const { groupId, url } = await createLink()
  await calls.send('POST', `/${groupId}/members/remove`, { emails: [`visitor${linkCount}@example.com`] })
  await calls.add(groupId, [email])
  assert.equal((await calls.send('PATCH', `/${groupId}`, { type: 'internal' })).status, 200)
  const release = (await calls.send('GET', `/${groupId}/releases`)).body.data[0].id
  await calls.share(groupId, release)
  const mine = await groupLink(service, tenant, email)
  await assertWorks(mine)
  await assertGone(url, 'not_a_member')
  await service.call('DELETE', `/workspace/members/${id}`, { key: tenant.workspaceKey })
  await assertGone(mine, 'not_a_member')
})

test('hides a build from link recipients while the build is in the trash', async () => {
  const { build, url } = await createLink()
  const path = `/applications/${tenant.applicationId}/builds/${build.id}`
  await service.call('DELETE', `${path}?force=true`, { key: tenant.workspaceKey })
  assert.deepEqual((await sendPublic('GET', url)).body.data.builds, [])
  const none = await sendPublic('POST', `${url}/downloads`, {})
  assert.deepEqual([none.status, none.body.code], [409, 'group_link.no_builds'])
  await service.call('POST', `${path}/restore`, { key: tenant.workspaceKey })
  await assertWorks(url)
})

test('allows downloads of any build in the release by ID and rejects other builds', async () => {
  const { releaseId, build, url } = await createLink()
  const more = (await uploadedBuild(service, tenant)).build
  const unrelated = (await uploadedBuild(service, tenant)).build
  const path = `/applications/${tenant.applicationId}/releases/${releaseId}/builds/${more.id}`
  await service.call('POST', path, { key: tenant.workspaceKey })
  const download = (build_id?: string) => sendPublic('POST', `${url}/downloads`, { build_id })
  for (const id of [build.id, more.id]) assert.equal((await download(id)).status, 200)
  assert.deepEqual(Object.keys((await download()).body.errors), ['build_id'])
  const [foreign, nothing] = [await download(unrelated.id), await download('nothinghere')]
  assert.equal(foreign.status, 404)
  assert.deepEqual({ ...foreign.body, request_id: '' }, { ...nothing.body, request_id: '' })
})

for (const [change, table, column] of [
  ['the removal of the member', 'distribution_group_members', 'distribution_group_id'],
  ['the removal of the release', 'distribution_group_releases', 'distribution_group_id'],
  ['the deletion of the group', 'distribution_groups', 'id'],
] as const) {
  test(`waits for ${change} to commit before rejecting a download`, async () => {
    const { groupId, build, url } = await createLink()
    const tx = await service.deps.db.startTransaction().execute()
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${groupId}`.execute(tx)
    const download = sendPublic('POST', `${url}/downloads`, {})
    assert.equal(await Promise.race([download, untilLockWait(service.deps.db)]), true)
    await tx.commit().execute()
    assert.equal((await download).status, 410)
    assert.equal(await countDownloads(build.id), 0)
  })
}

async function countDownloads(buildId: string): Promise<number> {
  const { db } = service.deps
  return (await db.selectFrom('downloads').select('id').where('build_id', '=', buildId).execute()).length
}

for (const [change, revoke] of [
  [
    'the member is removed',
    ({ groupId, memberId }) => calls.send('DELETE', `/${groupId}/members/${memberId}`),
  ],
  [
    'the release is removed',
    ({ groupId, releaseId }) => calls.send('DELETE', `/${groupId}/releases/${releaseId}`),
  ],
  ['the group is deleted', ({ groupId }) => calls.send('DELETE', `/${groupId}`)],
  ['the group is deactivated', ({ groupId }) => calls.send('PATCH', `/${groupId}`, { is_active: false })],
] satisfies [string, (link: Awaited<ReturnType<typeof createLink>>) => Promise<{ status: number }>][]) {
  test(`rejects further downloads once ${change}, even if 40 downloads are in progress`, async () => {
    const link = await createLink()
    const count = () => countDownloads(link.build.id)
    let recorded = -1
    const downloads = Array.from({ length: 40 }, () => sendPublic('POST', `${link.url}/downloads`, {}))
    const revoked = revoke(link).then(async ({ status }) => {
      recorded = await count()
      return status
    })
    const statuses = (await Promise.all(downloads)).map(({ status }) => status)
    assert.equal(await revoked, 200)
    assert.ok(statuses.every((status) => [200, 410].includes(status)))
    assert.equal(await count(), recorded)
    assert.equal(statuses.filter((status) => status === 200).length, recorded)
  })
}
