import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { inboxes } from '../../../test/inboxes.ts'
import { versionOf } from '../../../test/uploading.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { requireFullBuild } from '../builds/build.db.ts'
import { dropNotifications } from './delete-old-notifications.job.ts'
import { findMentioned } from './mention.ts'

let service: Service
before(async () => {
  service = await startService({ sendsWebhooks: true })
})
after(() => service.close())

const { send, succeed, addPerson, settled, inboxOf, titlesOf, addRule, upload } = inboxes(() => service)
const applicationOf = ({ applicationId }: Tenant) => `/applications/${applicationId}`
const nameOf = ({ workspaceId }: Tenant) => `App ${workspaceId}`

/** Records that the file of a build could not be read, as the inspection does. */
async function failProcessing({ workspaceId, applicationId }: Tenant, id: string) {
  const { db, config } = service.deps
  await db.updateTable('builds').set({ processing: 'failed' }).where('id', '=', id).execute()
  const actor = { via: 'system', id: null, name: 'Inspection', workspaceId } as const
  await inTransaction(db, async (tx) => {
    const build = await requireFullBuild(tx, applicationId, id, config)
    const change = { action: 'build.processed', applicationId, subject: { type: 'build', id } } as const
    const events = [{ name: 'build.processed', data: { build } }] as const
    await recordEvent(tx, { actor, address: null }, { ...change, events: [...events] })
  })
}

describe('notifications', () => {
  test('reports builds of a stream and platform, once for all matching rules', async () => {
    const tenant = await service.tenant({ platforms: ['linux', 'android'] })
    const person = await addPerson(tenant, { applicationRole: 'readonly' })
    await addRule(person, { kind: 'build', stream: 'Stable', platform: 'linux' })
    await addRule(person, { kind: 'build', stream: 'stable', application_id: tenant.applicationId })
    await upload(tenant, versionOf(1))
    const build = await upload(tenant, { ...versionOf(2), stream: 'stable' })
    assert.deepEqual(await titlesOf(person), [`${nameOf(tenant)} 2.0.0 for Linux (Generic) is in stable`])
    const [notification] = await inboxOf(person)
    assert.deepEqual(
      [notification.kind, notification.build.id, notification.stream, notification.read_at],
      ['build', build.id, 'stable', null],
    )
    assert.match(notification.url, new RegExp(`/applications/${tenant.applicationId}/builds/${build.id}$`))
  })

  test('reports a move into the stream and a new label of a rule', async () => {
    const tenant = await service.tenant()
    const [mover, labeler] = [
      await addPerson(tenant, { applicationRole: 'qa' }),
      await addPerson(tenant, { applicationRole: 'qa' }),
    ]
    await addRule(mover, { kind: 'build', stream: 'nightlies' })
    await addRule(labeler, { kind: 'build', label: 'Approved' })
    const build = await upload(tenant)
    const one = `${applicationOf(tenant)}/builds/${build.id}`
    await succeed(tenant.workspaceKey, 'PATCH', one, { stream: 'nightlies', labels: ['approved', 'other'] })
    const name = `${nameOf(tenant)} 1.2.3 for Linux (Generic)`
    assert.deepEqual(await titlesOf(mover), [`${name} is in nightlies`])
    assert.deepEqual(await titlesOf(labeler), [`${name} has the label approved`])
  })

  test('starts with rules for mentions, access, and failures and feedback of own builds', async () => {
    const tenant = await service.tenant()
    const uploader = await addPerson(tenant, { workspaceRole: 'admin' })
    const other = await addPerson(tenant, { applicationRole: 'developer' })
    const rules = (await succeed(uploader.session, 'GET', '/notification-rules')).data
    assert.deepEqual(
      rules.map(({ kind, own_only }: { kind: string; own_only: boolean }) => [kind, own_only]),
      [
        ['access_granted', false],
        ['access_request', false],
        ['build_failed', true],
        ['feedback', true],
        ['mention', false],
      ],
    )
    const { data: key } = await succeed(uploader.session, 'POST', `${applicationOf(tenant)}/api-keys`, {
      name: 'CI',
      scopes: ['builds:create'],
      expires_at: null,
    })
    const build = await upload({ ...tenant, applicationKey: key.key })
    await failProcessing(tenant, build.id)
    assert.deepEqual(await titlesOf(uploader), [
      `${nameOf(tenant)} 1.2.3 for Linux (Generic) could not be read`,
    ])
    assert.deepEqual(await titlesOf(other), [])
  })

  test('does not report what the person did in the console', async () => {
    const tenant = await service.tenant()
    const [person, other] = [
      await addPerson(tenant, { workspaceRole: 'owner' }),
      await addPerson(tenant, { workspaceRole: 'admin' }),
    ]
    for (const each of [person, other]) await addRule(each, { kind: 'release' })
    await succeed(person.session, 'POST', `${applicationOf(tenant)}/releases`, {
      title: 'Spring',
      ...versionOf(1),
    })
    assert.deepEqual(await titlesOf(person), [])
    assert.deepEqual(await titlesOf(other), [`${nameOf(tenant)} 1.0.0 is released: Spring`])
  })

  test('hides what the person can no longer access and what is in the trash', async () => {
    const tenant = await service.tenant()
    const person = await addPerson(tenant, { applicationRole: 'qa' })
    const outsider = await addPerson(tenant)
    for (const each of [person, outsider]) await addRule(each, { kind: 'build' })
    const [kept, trashed] = [await upload(tenant, versionOf(1)), await upload(tenant, versionOf(2))]
    assert.equal((await inboxOf(person)).length, 2)
    assert.deepEqual(await inboxOf(outsider), [])
    await succeed(tenant.workspaceKey, 'DELETE', `${applicationOf(tenant)}/builds/${trashed.id}`)
    const [left, ...others] = await inboxOf(person)
    assert.deepEqual([left.build.id, others], [kept.id, []])
    const members = service.deps.db.deleteFrom('application_members').where('user_id', '=', person.id)
    await members.execute()
    const session = await service.signIn(person.id, tenant.workspaceId)
    assert.deepEqual(await inboxOf({ ...person, session }), [])
    assert.equal((await succeed(session, 'GET', '/notifications/count')).data.unread, 0)
    assert.equal((await send(session, 'PATCH', `/notifications/${left.id}`, { read: true })).status, 404)
  })

  test('lists pages, counts unread notifications and marks them as read', async () => {
    const tenant = await service.tenant()
    const [person, other] = [
      await addPerson(tenant, { workspaceRole: 'owner' }),
      await addPerson(tenant, { workspaceRole: 'owner' }),
    ]
    for (const each of [person, other]) await addRule(each, { kind: 'build' })
    for (const minor of [1, 2, 3]) await upload(tenant, versionOf(1, minor))
    await settled()
    const page = async (query: string) => succeed(person.session, 'GET', `/notifications?limit=2${query}`)
    const first = await page('')
    const second = await page(`&after=${first.cursor}`)
    const versions = [...first.data, ...second.data].map(
      ({ build }: { build: { version: string } }) => build.version,
    )
    assert.deepEqual(versions, ['1.3.0', '1.2.0', '1.1.0'])
    assert.equal(second.cursor, null)
    const unread = async () => (await succeed(person.session, 'GET', '/notifications/count')).data.unread
    assert.equal(await unread(), 3)
    const [newest, middle] = first.data
    const read = await succeed(person.session, 'PATCH', `/notifications/${newest.id}`, { read: true })
    assert.notEqual(read.data.read_at, null)
    assert.equal(await unread(), 2)
    assert.equal((await succeed(person.session, 'GET', '/notifications?unread=true')).data.length, 2)
    await succeed(person.session, 'PATCH', `/notifications/${newest.id}`, { read: false })
    await succeed(person.session, 'POST', '/notifications/read', { until: middle.occurred_at })
    assert.equal(await unread(), 1)
    await succeed(person.session, 'POST', '/notifications/read', {})
    assert.equal(await unread(), 0)
    assert.equal((await succeed(other.session, 'GET', '/notifications/count')).data.unread, 3)
    assert.equal(
      (await send(other.session, 'PATCH', `/notifications/${newest.id}`, { read: true })).status,
      404,
    )
    assert.equal((await page('&after=x').catch(() => 'invalid')) as unknown, 'invalid')
  })

  test('deletes notifications after 90 days', async () => {
    const tenant = await service.tenant()
    const person = await addPerson(tenant, { workspaceRole: 'owner' })
    await addRule(person, { kind: 'build' })
    for (const minor of [1, 2]) await upload(tenant, versionOf(1, minor))
    const [kept, old] = await inboxOf(person)
    const created_at = new Date(Date.now() - 91 * 24 * 60 * 60 * 1000).toISOString()
    await service.deps.db.updateTable('notifications').set({ created_at }).where('id', '=', old.id).execute()
    await dropNotifications.handle(service.deps, {}, new AbortController().signal)
    assert.deepEqual(await inboxOf(person), [kept])
  })
})

describe('mentions', () => {
  test('notifies members who can access the application, once for each text', async () => {
    const tenant = await service.tenant()
    const ana = await addPerson(tenant, { name: 'Ana Ruiz', applicationRole: 'readonly' })
    const ben = await addPerson(tenant, { name: 'Ben', applicationRole: 'developer' })
    const outsider = await addPerson(tenant, { name: 'Cleo' })
    const build = await upload(tenant, { notes: 'Please test, @ana' })
    const one = `${applicationOf(tenant)}/builds/${build.id}`
    await succeed(ben.session, 'PATCH', one, { notes: 'Thanks @Ana Ruiz, @Cleo and @Ben' })
    const { data: release } = await succeed(ben.session, 'POST', `${applicationOf(tenant)}/releases`, {
      title: 'Draft',
      ...versionOf(2),
      status: 'draft',
      notes: '@Ana Ruiz: what is new?',
    })
    const name = nameOf(tenant)
    const titles = await titlesOf(ana)
    assert.deepEqual(titles[0], `Ben mentioned you in the notes of ${name} 2.0.0`)
    assert.match(titles[1] ?? '', new RegExp(`mentioned you in the notes of ${name} 1.2.3 for Linux`))
    assert.equal(titles.length, 2)
    assert.equal((await inboxOf(ana))[0].release.id, release.id)
    assert.deepEqual(await titlesOf(ben), [])
    assert.deepEqual(await titlesOf(outsider), [])
  })

  test('finds the longest name, unique first names and everyone with the same name', () => {
    const members = ['Ana', 'Ana Ruiz', 'Ben Li', 'Ben Ode', 'Zoë Ng', 'Sam', 'Sam'].map((name, index) => ({
      id: String(index),
      name,
    }))
    const mentioned = (text: string) => findMentioned(text, members).toSorted()
    assert.deepEqual(mentioned('@Ana Ruiz'), ['1'])
    assert.deepEqual(mentioned('@ana, (@ZOË)'), ['0', '4'])
    assert.deepEqual(mentioned('@Ben'), [])
    assert.deepEqual(mentioned('hi @ben li.'), ['2'])
    assert.deepEqual(mentioned('@Sam!'), ['5', '6'])
    assert.deepEqual(mentioned('mail me at x@ana, @anabel, `@ana` or\n```\n@ana\n```'), [])
  })
})

describe('notification rules', () => {
  test('are changed and deleted, and reject conditions of other kinds', async () => {
    const tenant = await service.tenant()
    const person = await addPerson(tenant, { applicationRole: 'qa' })
    const other = await addPerson(tenant, { applicationRole: 'qa' })
    const rule = await addRule(person, { kind: 'build', label: 'qa' })
    const one = `/notification-rules/${rule.id}`
    const changed = await succeed(person.session, 'PATCH', one, { label: null, sends_email: true })
    assert.deepEqual([changed.data.label, changed.data.sends_email], [null, true])
    for (const method of ['PATCH', 'DELETE'])
      assert.equal((await send(other.session, method, one, { sends_email: false })).status, 404)
    const invalid = await send(person.session, 'POST', '/notification-rules', {
      kind: 'mention',
      stream: 'a',
      label: 'b',
      own_only: true,
      platform: 'no-such',
    })
    assert.deepEqual(
      [invalid.status, Object.keys(invalid.body.errors).toSorted()],
      [422, ['label', 'own_only', 'platform', 'stream']],
    )
    const unknown = { kind: 'release', application_id: 'nosuch' }
    assert.equal((await send(person.session, 'POST', '/notification-rules', unknown)).status, 404)
    await succeed(person.session, 'DELETE', one)
    assert.equal((await send(person.session, 'PATCH', one, { sends_email: false })).status, 404)
  })

  test('are limited to 100 for each person', async () => {
    const tenant = await service.tenant()
    const person = await addPerson(tenant)
    await service.deps.db
      .insertInto('notification_rules')
      .values(
        Array.from({ length: 97 }, () => ({
          workspace_id: tenant.workspaceId,
          user_id: person.id,
          kind: 'build',
        })),
      )
      .execute()
    const { status, body } = await send(person.session, 'POST', '/notification-rules', { kind: 'release' })
    assert.deepEqual([status, body.code], [409, 'notification_rule.limit_reached'])
  })
})
