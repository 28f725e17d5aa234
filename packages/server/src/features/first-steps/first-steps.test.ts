import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { until } from '../../../test/until.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

const path = '/workspace/sample-application'
const phone = 'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const send = (key: string, method: string, to: string, body?: unknown) =>
  service.call(method, to, { key, body })
const signIn = async (tenant: Tenant, person: Parameters<typeof insertMember>[2]) =>
  service.signIn(await insertMember(service, tenant, person), tenant.workspaceId)
const ownerOf = (tenant: Tenant) => signIn(tenant, { workspaceRole: 'owner' })

/** Returns the steps that the person sees, each with whether it is done. */
async function stepsOf(person: string): Promise<Record<string, boolean>> {
  const { data } = (await send(person, 'GET', '/first-steps')).body
  return Object.fromEntries(data.steps.map(({ name, done }: { name: string; done: boolean }) => [name, done]))
}

describe('the first steps', () => {
  test('are done once the workspace contains what they lead to', async () => {
    const tenant = await service.tenant()
    const owner = await ownerOf(tenant)
    const none = { first_build: false, phone: false, api_key: false, invitation: false, share_link: false }
    assert.deepEqual(await stepsOf(owner), none)

    const { build } = await uploadedBuild(service, tenant)
    assert.deepEqual(await stepsOf(owner), { ...none, first_build: true })

    const links = `/applications/${tenant.applicationId}/builds/${build.id}/share-links`
    const link = (await send(owner, 'POST', links, {})).body.data
    await send(owner, 'POST', '/workspace/api-keys', {
      name: 'CI',
      scopes: ['builds:create'],
      expires_at: null,
    })
    const invitation = { email: 'ben@example.com', role: 'member' }
    assert.equal((await send(owner, 'POST', '/workspace/invitations', invitation)).status, 201)
    const allButPhone = { first_build: true, phone: false, api_key: true, invitation: true, share_link: true }
    assert.deepEqual(await stepsOf(owner), allButPhone)

    await service.call('GET', `${link.url}/download`, { key: null })
    assert.equal((await stepsOf(owner))['phone'], false)
    const response = await service.call('GET', `${link.url}/download`, {
      key: null,
      headers: { 'user-agent': phone },
    })
    assert.equal(response.status, 302, response.text)
    assert.deepEqual(await stepsOf(owner), { ...allButPhone, phone: true })
  })

  test('count a sign-in on a phone', async () => {
    const tenant = await service.tenant()
    const owner = await ownerOf(tenant)
    const userId = await insertMember(service, tenant)
    await service.signIn(userId, tenant.workspaceId)
    assert.equal((await stepsOf(owner))['phone'], false)
    await service.deps.db
      .updateTable('sessions')
      .set({ user_agent: phone })
      .where('user_id', '=', userId)
      .execute()
    assert.equal((await stepsOf(owner))['phone'], true)
  })

  test('are only those that the role of a person allows', async () => {
    const tenant = await service.tenant()
    const names = async (applicationRole: string | undefined) =>
      Object.keys(await stepsOf(await signIn(tenant, { applicationRole })))
    assert.deepEqual(await names('developer'), ['first_build', 'phone', 'share_link'])
    assert.deepEqual(await names('readonly'), ['phone'])
    assert.deepEqual(await names(undefined), [])
  })

  test('stay hidden for the person who hid them, until that person shows them', async () => {
    const tenant = await service.tenant()
    const [owner, admin] = [await ownerOf(tenant), await signIn(tenant, { workspaceRole: 'admin' })]
    const hidden = async (person: string) => {
      const { data } = (await send(person, 'GET', '/first-steps')).body
      return [data.hidden, data.phone_card_hidden]
    }
    assert.deepEqual(await hidden(owner), [false, false])
    assert.equal((await send(owner, 'PATCH', '/first-steps', { hidden: true })).body.data.hidden, true)
    assert.deepEqual(await hidden(owner), [true, false])
    await send(owner, 'PATCH', '/first-steps', { phone_card_hidden: true })
    assert.deepEqual(await hidden(owner), [true, true])
    assert.deepEqual(await hidden(admin), [false, false])
    await send(owner, 'PATCH', '/first-steps', { hidden: false })
    assert.deepEqual(await hidden(owner), [false, true])
  })
})

describe('the sample application', () => {
  const create = async (owner: string) => {
    const { status, body, text } = await send(owner, 'POST', path)
    assert.equal(status, 201, text)
    return body.data
  }
  const sampleOf = async (person: string) =>
    (await send(person, 'GET', '/session')).body.data.sample_application_id

  test('has builds that the service can read, a release and a link, and counts in no step', async () => {
    const tenant = await service.tenant()
    const owner = await ownerOf(tenant)
    const before = await stepsOf(owner)
    const { id, name, build_count } = await create(owner)
    assert.deepEqual([name, build_count, await sampleOf(owner)], ['Sample', 5, id])
    const builds = async () => (await send(owner, 'GET', `/applications/${id}/builds`)).body.data
    await until('the builds are processed', async () =>
      (await builds()).every(({ processing }: { processing: string }) => processing === 'done'),
    )
    const read: string[] = []
    for (const { id: buildId } of await builds()) {
      const { data } = (await send(owner, 'GET', `/applications/${id}/builds/${buildId}`)).body
      const { file_info: info, ...build } = data
      assert.equal(build.processing_error, null)
      assert.ok(build.icon_url !== null || build.platform.identifier === 'macos')
      read.push([build.platform.identifier, build.version, info?.name, build.labels[0].name].join(' '))
    }
    assert.deepEqual(read.length, 5)
    assert.deepEqual(read.toSorted(), [
      'android 1.0.0 Sample qa-passed',
      'android 1.1.0-nightly.1 Sample needs-qa',
      'ios 1.0.0 Sample qa-passed',
      'ios 1.1.0-nightly.1 Sample needs-qa',
      'macos 1.0.0 Sample qa-passed',
    ])
    const releases = (await send(owner, 'GET', `/applications/${id}/releases`)).body.data
    assert.deepEqual(
      releases.map(({ title, status }: { title: string; status: string }) => [title, status]),
      [['Sample 1.0', 'published']],
    )
    const [link] = (await send(owner, 'GET', `/applications/${id}/releases/${releases[0].id}/share-links`))
      .body.data
    assert.equal((await service.call('GET', link.url, { key: null })).status, 200)
    assert.deepEqual(await stepsOf(owner), before)
    const created = await auditEntry(service, id, 'application.created')
    assert.equal((created.after as { is_sample: boolean }).is_sample, true)
  })

  test('is deleted with everything in it, and nothing else', async () => {
    const tenant = await service.tenant()
    const owner = await ownerOf(tenant)
    const { build } = await uploadedBuild(service, tenant)
    const { id } = await create(owner)
    assert.equal((await send(owner, 'POST', path)).body.code, 'sample_application.exists')
    const { db } = service.deps
    const keys = (
      await db
        .selectFrom('files')
        .innerJoin('builds', 'builds.id', 'files.build_id')
        .select('object_key')
        .where('builds.application_id', '=', id)
        .execute()
    ).map(({ object_key }) => object_key)
    assert.equal(keys.length, 5)

    assert.equal((await send(owner, 'DELETE', path)).status, 200)
    assert.equal(await sampleOf(owner), null)
    assert.equal((await send(owner, 'GET', `/applications/${id}`)).status, 404)
    await until('the sample is purged', async () => {
      const row = await db.selectFrom('applications').select('id').where('id', '=', id).executeTakeFirst()
      return row === undefined
    })
    const objects = await db
      .selectFrom('stored_objects')
      .select(['key', 'deleted_at'])
      .where('key', 'in', keys)
      .execute()
    assert.deepEqual(
      objects.filter(({ deleted_at }) => deleted_at === null),
      [],
    )
    const own = `/applications/${tenant.applicationId}/builds/${build.id}`
    assert.equal((await send(owner, 'GET', own)).status, 200)
    assert.equal((await auditEntry(service, id)).action, 'application.purged')
    assert.equal((await send(owner, 'DELETE', path)).status, 200)
    assert.notEqual((await create(owner)).id, id)
  })

  test('is purged once a transaction that used one of its builds has ended', async () => {
    const tenant = await service.tenant()
    const owner = await ownerOf(tenant)
    const { id } = await create(owner)
    const { db } = service.deps
    const lock = await db.startTransaction().execute()
    try {
      await lock
        .selectFrom('builds')
        .select('id')
        .where('application_id', '=', id)
        .limit(1)
        .forUpdate()
        .execute()
      assert.equal((await send(owner, 'DELETE', path)).status, 200)
      await until('the job has run', async () => {
        const { rows } = await sql<{ state: string }>`
          select state from pgboss.job where name = 'sample.purge' and data->>'applicationId' = ${id}`.execute(
          db,
        )
        return rows.some(({ state }) => state === 'retry')
      })
    } finally {
      await lock.rollback().execute()
    }
    await until('the sample is purged', async () => {
      const row = await db.selectFrom('applications').select('id').where('id', '=', id).executeTakeFirst()
      return row === undefined
    })
  })

  test('is created once by concurrent requests', async () => {
    const tenant = await service.tenant()
    const owner = await ownerOf(tenant)
    const responses = await Promise.all(Array.from({ length: 4 }, () => send(owner, 'POST', path)))
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409, 409, 409],
    )
  })

  test('is only for owners and admins', async () => {
    const tenant = await service.tenant()
    const developer = await signIn(tenant, { applicationRole: 'developer' })
    assert.equal((await send(developer, 'POST', path)).status, 403)
    const { id } = await create(await signIn(tenant, { workspaceRole: 'admin' }))
    assert.equal((await send(developer, 'DELETE', path)).status, 403)
    assert.equal(await sampleOf(developer), null)
    assert.equal((await send(developer, 'GET', `/applications/${id}`)).status, 404)
  })
})
