import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { copyBuild } from '../../../test/copy-builds.ts'
import { startOwnService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { until } from '../../../test/until.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { NamedEvent } from '../../events/catalogue.ts'
import { hasUndispatchedEvents } from '../../events/event.db.ts'
import { recordEvent } from '../../events/record-event.ts'
import { listFullBuilds } from '../builds/build.db.ts'
import { type FullBuild } from '../builds/build.ts'
import type { RuleFields } from './notification-rule.ts'

const eventCount = Number(process.env['QUAYSIDE_NOTIFICATION_EVENTS'] ?? 300)
const peopleCount = Number(process.env['QUAYSIDE_NOTIFICATION_PEOPLE'] ?? 20)
const seed = Number(process.env['QUAYSIDE_SEED'] ?? 95)
const buildsOfApplication = 20

let service: Service
before(async () => {
  service = await startOwnService({ sendsWebhooks: true })
})
after(() => service.close())

type Person = {
  id: string
  session: string
  role: string
  applications: Set<string>
  rules: Omit<RuleFields, 'sends_email' | 'sends_chat'>[]
}
type Recorded = { name: string; build: FullBuild; label: string | undefined; actor: string | null }

/** Returns one of the values for each number between 0 and 1. */
const pick = <T>(values: readonly T[], fraction: number): T => {
  const value = values[Math.min(values.length - 1, Math.floor(fraction * values.length))]
  if (value === undefined) throw new Error('nothing to pick')
  return value
}
/** Numbers below 1, which `pick` turns into values. */
const unit = fc.integer({ min: 0, max: 999 }).map((number) => number / 1_000)
const units = (length: number) => fc.array(unit, { minLength: length, maxLength: length })

const streams = ['default', 'stable', 'nightlies']
const platforms = ['linux', 'android']
const labels = ['qa', 'Release']
const kinds = ['build', 'build_failed', 'release'] as const

/** Returns the rule that the numbers stand for. */
function ruleOf([kind, application, stream, platform, label, own]: number[], applicationIds: string[]) {
  const chosen = pick(kinds, kind ?? 0)
  const isOfBuild = chosen !== 'release'
  return {
    kind: chosen,
    application_id: pick([null, null, ...applicationIds], application ?? 0),
    stream: isOfBuild ? pick([null, ...streams], stream ?? 0) : null,
    platform: isOfBuild ? pick([null, ...platforms], platform ?? 0) : null,
    label: chosen === 'build' ? pick([null, null, ...labels], label ?? 0) : null,
    own_only: chosen === 'build_failed' && (own ?? 0) > 0.5,
  }
}

async function createApplications(tenant: Tenant): Promise<string[]> {
  const ids = [tenant.applicationId]
  for (const name of ['Second', 'Third']) {
    const body = { name, platforms }
    ids.push((await service.call('POST', '/applications', { key: tenant.workspaceKey, body })).body.data.id)
  }
  return ids
}

/** Creates builds of every platform and stream in the applications. */
async function createBuilds(tenant: Tenant, applicationIds: string[]): Promise<FullBuild[]> {
  const { db, config } = service.deps
  const builds: FullBuild[] = []
  for (const applicationId of applicationIds) {
    const key = tenant.workspaceKey
    const { build } = await uploadedBuild(
      service,
      { ...tenant, applicationId, applicationKey: key },
      {
        application_id: applicationId,
      },
    )
    await copyBuild(service, build.id, buildsOfApplication)
    await sql`
      update builds set platform = (${platforms}::text[])[1 + numbered.n % 2], stream_id = streams.id
      from (select id, row_number() over (order by id) as n from builds
          where application_id = ${applicationId} and id <> ${build.id}) as numbered
        join streams on streams.application_id = ${applicationId}
          and streams.name = (${streams}::text[])[1 + (numbered.n / 2) % 3]
      where builds.id = numbered.id`.execute(db)
    const copies = await db
      .selectFrom('builds')
      .select('id')
      .where('application_id', '=', applicationId)
      .where('id', '<>', build.id)
      .execute()
    builds.push(
      ...(await listFullBuilds(
        db,
        copies.map(({ id }) => id),
        config,
      )),
    )
  }
  return builds
}

/** Records an event in a transaction of its own, as the features do. */
async function record({ workspaceId }: Tenant, { name, build, label, actor }: Recorded): Promise<void> {
  const by = { via: actor === null ? 'system' : 'user', id: actor, name: 'Someone', workspaceId } as const
  const { id, application_id: applicationId } = build
  const data = { build, ...(label === undefined ? {} : { label: { id: label, name: label } }) }
  const events = [{ name, data }, ...(name === 'build.created' ? [{ name: `${name}.stream`, data }] : [])]
  await inTransaction(service.deps.db, (tx) =>
    recordEvent(
      tx,
      { actor: by, address: null },
      {
        action: name === 'build.created' ? 'build.created' : 'build.updated',
        applicationId,
        subject: { type: 'build', id },
        events: events as unknown as NamedEvent[],
      },
    ),
  )
}

/** Returns whether the rules of the person select the event, by the documentation. */
function isNotified(person: Person, event: Recorded, uploaders: ReadonlyMap<string, string | null>): boolean {
  const { name, build, label, actor } = event
  if (person.role === 'member' && !person.applications.has(build.application_id)) return false
  if (actor === person.id) return false
  const kind = name === 'build.processed' ? 'build_failed' : 'build'
  if (kind === 'build_failed' && build.processing !== 'failed') return false
  return person.rules.some((rule) => {
    const isOfRule =
      rule.kind === kind &&
      [null, build.application_id].includes(rule.application_id) &&
      [null, build.stream.name].includes(rule.stream) &&
      [null, build.platform.identifier].includes(rule.platform)
    if (!isOfRule || (rule.own_only && uploaders.get(build.id) !== person.id)) return false
    if (name === 'build.moved' && rule.stream === null) return false
    if (name === 'build.label.added') return rule.label?.toLowerCase() === label?.toLowerCase()
    const names = build.labels.map((each) => each.name.toLowerCase())
    return rule.label === null || names.includes(rule.label.toLowerCase())
  })
}

async function inboxOf({ session }: Person): Promise<{ kind: string; build: string }[]> {
  const found: { kind: string; build: { id: string } }[] = []
  for (let after = ''; ;) {
    const { status, body, text } = await service.call('GET', `/notifications?limit=100${after}`, {
      key: session,
    })
    assert.equal(status, 200, text)
    found.push(...body.data)
    if (body.cursor === null) return found.map(({ kind, build }) => ({ kind, build: build.id }))
    after = `&after=${body.cursor}`
  }
}

test('delivers exactly what the rules select, in order, to those who may see it', async () => {
  const tenant = await service.tenant({ platforms })
  const applicationIds = await createApplications(tenant)
  const [people, given] = fc.sample(
    fc.tuple(
      fc.array(
        fc.record({ role: unit, applications: units(3), rules: fc.array(units(6), { maxLength: 6 }) }),
        {
          minLength: peopleCount,
          maxLength: peopleCount,
        },
      ),
      fc.array(units(6), { minLength: eventCount, maxLength: eventCount }),
    ),
    { seed, numRuns: 1 },
  )[0] ?? [[], []]
  const dispatched = () =>
    until('all events are dispatched', async () => !(await hasUndispatchedEvents(service.deps.db)))
  const builds = await createBuilds(tenant, applicationIds)
  await dispatched()
  await sql`delete from events where workspace_id = ${tenant.workspaceId}`.execute(service.deps.db)
  const members: Person[] = []
  for (const { role, applications, rules } of people)
    members.push(await addPerson(tenant, applicationIds, { role, applications, rules }))
  const uploaders = new Map<string, string | null>()
  const events: Recorded[] = builds.map((build, index) => {
    const actor = index % 3 === 0 ? null : (members[index % members.length]?.id ?? null)
    uploaders.set(build.id, actor)
    return { name: 'build.created', build, label: undefined, actor }
  })
  for (const [name, build, label, stream, state, actor] of given) {
    const changed = pick(builds, build ?? 0)
    const applied = pick([null, ...labels], label ?? 0)
    events.push({
      name: pick(['build.moved', 'build.label.added', 'build.processed'], name ?? 0),
      label: applied ?? 'other',
      actor: pick([null, null, ...members.map(({ id }) => id)], actor ?? 0),
      build: {
        ...changed,
        stream: { ...changed.stream, name: pick(streams, stream ?? 0) },
        processing: (state ?? 0) > 0.3 ? 'failed' : 'done',
        labels: applied === null ? [] : [{ id: applied, name: applied } as FullBuild['labels'][number]],
      },
    })
  }
  for (const event of events) await record(tenant, event)
  await dispatched()
  // A node that was restored from a backup dispatches events again.
  await sql`update events set dispatched_at = null where workspace_id = ${tenant.workspaceId}`.execute(
    service.deps.db,
  )
  await dispatched()

  const expected = (person: Person, isVisible: (build: FullBuild) => boolean) =>
    events
      .filter((event) => isNotified(person, event, uploaders) && isVisible(event.build))
      .map(({ name, build }) => ({
        kind: name === 'build.processed' ? 'build_failed' : 'build',
        build: build.id,
      }))
      .toReversed()
  let delivered = 0
  for (const person of members) {
    const inbox = await inboxOf(person)
    assert.deepEqual(
      inbox,
      expected(person, () => true),
      `seed ${seed}`,
    )
    delivered += inbox.length
  }
  assert.ok(delivered > eventCount / 10, `${delivered} notifications`)

  const trashed = new Set(builds.filter((_, index) => index % 4 === 0).map(({ id }) => id))
  await sql`update builds set deleted_at = now() where id = any(${[...trashed]}::text[])`.execute(
    service.deps.db,
  )
  const left = applicationIds[0] ?? ''
  await service.deps.db.deleteFrom('application_members').where('application_id', '=', left).execute()
  for (const person of members) {
    const session = await service.signIn(person.id, tenant.workspaceId)
    const canSee = ({ id, application_id }: FullBuild) =>
      !trashed.has(id) && (person.role !== 'member' || application_id !== left)
    assert.deepEqual(await inboxOf({ ...person, session }), expected(person, canSee), `seed ${seed}`)
  }
})

async function addPerson(
  tenant: Tenant,
  applicationIds: string[],
  given: { role: number; applications: number[]; rules: number[][] },
): Promise<Person> {
  const { workspaceId } = tenant
  const role = pick(['owner', 'admin', 'member', 'member', 'member'], given.role)
  const id = await insertMember(service, tenant, { workspaceRole: role })
  const chosen = applicationIds.filter((_, index) => (given.applications[index] ?? 0) > 0.4)
  for (const application_id of chosen)
    await service.deps.db
      .insertInto('application_members')
      .values({ application_id, workspace_id: workspaceId, user_id: id, role: 'readonly' })
      .execute()
  const rules = given.rules.map((numbers) => ruleOf(numbers, applicationIds))
  await service.deps.db.deleteFrom('notification_rules').where('user_id', '=', id).execute()
  if (rules.length > 0)
    await service.deps.db
      .insertInto('notification_rules')
      .values(rules.map((rule) => ({ ...rule, workspace_id: workspaceId, user_id: id })))
      .execute()
  const session = await service.signIn(id, workspaceId)
  return { id, session, role, applications: new Set(chosen), rules }
}
