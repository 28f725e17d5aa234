import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { uploadedBuild, versionOf } from '../../../test/uploading.ts'
import { avoidMidnight } from '../../../test/utc-day.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())
beforeEach(avoidMidnight)

const send = (method: string, path: string, body?: unknown) =>
  service.call(method, `/applications/${tenant.applicationId}${path}`, { key: tenant.workspaceKey, body })

async function publish(major: number, daysAgo: number) {
  const { build } = await uploadedBuild(service, tenant, versionOf(major))
  const { body, text, status } = await send('POST', '/releases', {
    title: `Version ${major}`,
    build_ids: [build.id],
    ...versionOf(major),
  })
  assert.equal(status, 201, text)
  await sql`update releases set published_at = now() - make_interval(days => ${daysAgo}::int)
    where id = ${body.data.id}`.execute(service.deps.db)
  return { id: body.data.id as string, buildId: build.id as string }
}

type Download = { email: string | null; userId?: string; isInstall?: boolean; channel?: string }

async function download(buildId: string, daysAgo: number, { email, userId, ...rest }: Download) {
  const { isInstall = false, channel } = rest
  await sql`insert into downloads (id, workspace_id, application_id, build_id, channel, email, user_id, is_install, created_at)
    values (gen_random_uuid(), ${tenant.workspaceId}, ${tenant.applicationId}, ${buildId},
      ${channel ?? 'distribution-group'}, ${email}, ${userId ?? null}, ${isInstall}, now() - make_interval(days => ${daysAgo}::int))`.execute(
    service.deps.db,
  )
}

async function check(channelId: string, version: string, daysAgo: number, count: number) {
  await sql`insert into channel_requests (channel_id, version, day, format, platform, architecture, documents)
    values (${channelId}, ${version}, utc_day(now()) - ${daysAgo}::int, 'json', '', '', ${count})`.execute(
    service.deps.db,
  )
}

test('counts a release beside the previous one by days since publication, and the people who have it', async () => {
  const old = await publish(1, 10)
  const current = await publish(2, 2)
  const draft = await send('POST', '/releases', { title: 'Next', draft: true, ...versionOf(3) })
  const channel = await send('POST', '/channels', { name: 'Stable', formats: ['json'] })
  await download(old.buildId, 10, { email: 'ada@example.com' })
  await download(old.buildId, 9, { email: 'bea@example.com', isInstall: true })
  // Before the publication, and of the metadata of nobody.
  await download(current.buildId, 5, { email: 'cy@example.com' })
  await download(current.buildId, 2, { email: 'ADA@example.com', isInstall: true })
  await download(current.buildId, 0, { email: null, channel: 'feed' })
  await check(channel.body.data.id, '1.0.0', 8, 3)
  await check(channel.body.data.id, '2.0.0', 1, 2)
  const adoptionOf = async (id: string, query = '') => {
    const { status, body, text } = await send('GET', `/releases/${id}/adoption${query}`)
    assert.equal(status, 200, text)
    return body.data
  }
  const { release, previous, ...shares } = await adoptionOf(current.id, '?days=5')
  assert.deepEqual(
    [release.version, release.download_counts, release.install_counts, release.check_counts],
    ['2.0.0', [1, 0, 1], [1, 0, 0], [0, 2, 0]],
  )
  assert.deepEqual(
    [previous.version, previous.download_counts, previous.install_counts, previous.check_counts],
    ['1.0.0', [1, 1, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 3, 0, 0]],
  )
  assert.deepEqual(shares, {
    tester_count: 3,
    testers_on_release: 2,
    check_count: 5,
    checks_on_release: 2,
  })
  const first = await adoptionOf(old.id)
  assert.deepEqual([first.previous, first.release.download_counts.length], [null, 11])
  const next = await adoptionOf(draft.body.data.id)
  assert.deepEqual([next.release, next.previous, next.tester_count], [null, null, 3])
})

test('counts a member who uses the console and a personal link once', async () => {
  const { id, buildId } = await publish(7, 1)
  const before = (await send('GET', `/releases/${id}/adoption`)).body.data
  const userId = await insertMember(service, tenant)
  const { email } = await service.deps.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await download(buildId, 0, { email: null, userId, channel: 'console' })
  await download(buildId, 0, { email: email.toUpperCase() })
  const { tester_count, testers_on_release } = (await send('GET', `/releases/${id}/adoption`)).body.data
  assert.deepEqual(
    [tester_count - before.tester_count, testers_on_release - before.testers_on_release],
    [1, 1],
  )
})
