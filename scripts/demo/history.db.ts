import type pg from 'pg'
import type { Journal } from './journal.ts'
import { owner, people, type PersonId } from './plan/people.ts'
import type { UserIds } from './seeding.ts'
import { withClient } from './with-client.ts'

type History = {
  databaseUrl: string
  journal: Journal
  users: UserIds
  /** Keys whose entries in the audit log keep their actor. */
  ciKeyIds: readonly string[]
  now: Date
}

/** Tables with a trigger that would set `updated_at` to the present. */
const updatedTables =
  'applications builds channels custom_targets default_streams devices distribution_groups feedback files labels metadata_artifacts portals releases rollouts share_links streams teams trusted_publishers users webhooks workspaces'.split(
    ' ',
  )
/** Tables in which the ID of a row is the subject of its moment. */
const subjectTables =
  'applications channels custom_targets default_streams devices distribution_groups feedback labels portals releases share_links streams teams trusted_publishers users webhooks workspaces'.split(
    ' ',
  )

/**
 * Moves the creation of everything in the journal to the times in the journal, and names the people who made each
 * change. The order of changes to a resource is kept. Statements are committed one by one, because the service is writing
 * to the same tables and would wait for a transaction.
 */
export function moveHistory({ databaseUrl, journal, users, ciKeyIds, now }: History): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    for (const table of updatedTables)
      await client.query(`alter table ${table} disable trigger set_updated_at`)
    await createMoments(client, journal, users)
    for (const table of subjectTables)
      await client.query(`update ${table} set created_at = moments.at, updated_at = moments.at
        from first_moments as moments where moments.subject = ${table}.id::text`)
    for (const statement of statements) await client.query(statement)
    await moveExpiries(client, journal)
    await moveDownloads(client, journal)
    await client.query(auditStatement, [ciKeyIds])
    // The account that QUAYSIDE_ADMIN_EMAIL creates is named after its email address and joins when the service starts.
    await client.query(
      `update workspace_members set name = $1, added_at = (select min(at) from moments) where user_id = $2`,
      [owner.name, users.get('ines')],
    )
    for (const statement of webhookStatements) await client.query(statement, [now])
    for (const table of updatedTables)
      await client.query(`alter table ${table} enable trigger set_updated_at`)
    await client.query('analyze')
  })
}

async function createMoments(client: pg.Client, { moments }: Journal, users: UserIds): Promise<void> {
  const actorOf = (by: PersonId) => ({
    actor_id: users.get(by),
    actor_name: people[by].name,
    address: people[by].address,
  })
  const rows = moments.map(({ subject, application, action, at, by }) => ({
    subject,
    application,
    action,
    at,
    ...(by === undefined ? {} : actorOf(by)),
  }))
  await client.query(`create temporary table moments (subject text, application text, action text, at timestamptz,
    actor_id text, actor_name text, address inet)`)
  await client.query('insert into moments select * from jsonb_populate_recordset(null::moments, $1::jsonb)', [
    JSON.stringify(rows),
  ])
  await client.query(`create temporary table first_moments as
    select distinct on (subject) * from moments order by subject, action is not null, at`)
  await client.query('create index on moments (subject, action); analyze moments, first_moments')
}

const at = (subject: string, action: string) =>
  `(select min(at) from moments where subject = ${subject} and action = '${action}')`

const statements = [
  `update builds set created_at = moments.at, updated_at = moments.at + interval '50 seconds',
    built_at = moments.at - interval '2 minutes',
    deleted_at = case when deleted_at is not null then ${at('builds.id', 'build.deleted')} end
  from first_moments as moments where moments.subject = builds.id`,
  `update files set created_at = builds.created_at, updated_at = builds.created_at + interval '4 seconds'
  from builds where builds.id = files.build_id`,
  `update metadata_artifacts set created_at = builds.created_at + interval '20 seconds',
    updated_at = builds.created_at + interval '20 seconds'
  from builds where builds.id = metadata_artifacts.build_id`,
  `update releases set published_at = case when published_at is not null then ${at('releases.id', 'release.published')} end,
    withdrawn_at = case when withdrawn_at is not null then ${at('releases.id', 'release.withdrawn')} end,
    updated_at = (select max(at) from moments where subject = releases.id)
  where exists (select from moments where subject = releases.id)`,
  `update release_builds set added_at = releases.created_at from releases where releases.id = release_builds.release_id`,
  `update api_keys set created_at = moments.at, created_by = moments.actor_name,
    last_used_at = coalesce((select max(at) from moments as used where used.subject in (select id from builds
      where builds.application_id = api_keys.application_id)), last_used_at),
    revoked_at = case when revoked_at is not null then ${at('api_keys.id', 'api_key.revoked')} end
  from first_moments as moments where moments.subject = api_keys.id`,
  `update invitations set created_at = moments.at, expires_at = moments.at + interval '7 days',
    accepted_at = case when accepted_at is not null then ${at('invitations.id::text', 'invitation.accepted')} end,
    revoked_at = case when revoked_at is not null then ${at('invitations.id::text', 'invitation.revoked')} end,
    invited_by = moments.actor_name
  from moments where moments.subject = invitations.id::text and moments.action = 'invitation.created'`,
  `update workspace_members set added_at = moments.at from first_moments as moments where moments.subject = user_id`,
  `update application_members set added_at = moments.at from moments
  where moments.subject = user_id and moments.application = application_id`,
  `update team_members set added_at = teams.created_at + interval '1 hour' from teams where teams.id = team_id`,
  `update team_applications set added_at = teams.created_at + interval '2 hours' from teams where teams.id = team_id`,
  `update share_links set created_by = moments.actor_name from first_moments as moments where moments.subject = share_links.id`,
  `update distribution_group_members set added_at = groups.created_at + interval '1 hour'
  from distribution_groups as groups where groups.id = distribution_group_id`,
  `update distribution_group_releases set added_at = releases.published_at + interval '1 hour'
  from releases where releases.id = release_id`,
  `update channel_read_keys set created_at = moments.at from first_moments as moments
  where moments.subject = channel_read_keys.id`,
  `update rollouts set created_at = moments.at, updated_at = moments.at, changed_at = moments.at
  from moments where moments.subject = channel_id and moments.action = 'rollout.changed'`,
  `update feedback set closed_at = moments.at, updated_at = moments.at, closed_by = moments.actor_id,
    closed_by_name = moments.actor_name
  from moments where moments.subject = feedback.id and moments.action = 'feedback.updated'`,
  // Testers register their devices on the page of their group.
  `update devices set source = 'distribution-group', os_version = '19.1',
    product = (array['iPhone16,1', 'iPhone17,3', 'iPhone15,4'])[1 + length(name) % 3],
    distribution_group_id = (select distribution_group_id from distribution_group_members members
      where members.email = devices.email limit 1)
  where email is not null`,
  `update feedback_screenshots set created_at = feedback.created_at from feedback where feedback.id = feedback_id`,
  `update portal_releases set published_at = releases.published_at + interval '2 hours'
  from releases where releases.id = release_id`,
  `update release_notifications set created_at = releases.published_at + interval '1 hour'
  from releases where releases.id = release_id`,
  // The text of an email contains the ID of the notification or, for invitations, only the address of the recipient.
  `update mails set created_at = release_notifications.created_at from release_notifications
  where mails.text_body like '%' || release_notifications.id || '%'`,
  `update mails set created_at = invitations.created_at from invitations
  where mails.recipient = invitations.email and mails.subject like 'Invitation %'`,
]

async function moveExpiries(client: pg.Client, { expiredLinks }: Journal): Promise<void> {
  for (const { id, at } of expiredLinks)
    await client.query('update share_links set expires_at = $2 where id = $1', [id, at])
}

async function moveDownloads(client: pg.Client, { downloads }: Journal): Promise<void> {
  const { rowCount } = await client.query(
    `update downloads set created_at = times.at
    from (select id, row_number() over (order by created_at, id) as position from downloads) as ordered
      join unnest($1::timestamptz[]) with ordinality as times (at, position) on times.position = ordered.position
    where downloads.id = ordered.id`,
    [downloads.map(({ at }) => at)],
  )
  if (rowCount !== downloads.length)
    throw new Error(`${downloads.length} downloads were requested, but ${rowCount} were recorded.`)
}

// The most specific moment applies to an entry: that of the action, then that of the subject. Entries on a subject without
// a moment belong to the owner.
const auditStatement = `
  with placed as (
    select entry.id, moment.at + (entry.created_at - min(entry.created_at) over (partition by moment.at, entry.subject_id)) as at,
      moment.actor_id, moment.actor_name, moment.address, moment.actor_id is not null
        and entry.actor_kind <> 'system' and not coalesce(entry.actor_id = any($1), false) as renames
    from audit_entries as entry cross join lateral (
      select * from moments where subject = entry.subject_id and (action is null or action = entry.action)
        and (application is null or application = entry.application_id)
      order by action is null, at limit 1
    ) as moment
  )
  update audit_entries as entry set created_at = placed.at,
    actor_kind = case when renames then 'user' else actor_kind end,
    actor_id = case when renames then placed.actor_id else entry.actor_id end,
    actor_name = case when renames then placed.actor_name else entry.actor_name end,
    address = case when actor_kind = 'system' then null when renames then placed.address
      -- RFC 5737 reserves this address for documentation.
      else '192.0.2.44' end
  from placed
  where placed.id = entry.id`

const isoText = (expression: string) =>
  `to_jsonb(to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))`

const webhookStatements = [
  // Events and their requests are about a build or a release. A release is announced when it is published.
  `with placed as (
    select events.id, coalesce(
      (select at from moments where subject = subject_id and action = case events.name
        when 'release.created' then 'release.published' when 'build.label.added' then 'build.updated' else events.name end limit 1),
      (select at from first_moments where subject = subject_id)
    ) + case events.name when 'build.processed' then interval '45 seconds' else interval '0' end as at
    from events, lateral (select coalesce(data -> 'build' ->> 'id', data -> 'release' ->> 'id')) as subjects (subject_id)
  )
  update events set created_at = least(placed.at, $1::timestamptz),
    dispatched_at = case when dispatched_at is not null then least(placed.at, $1::timestamptz) + interval '1 second' end
  from placed where placed.id = events.id and placed.at is not null`,
  `update webhook_requests set created_at = events.dispatched_at,
    request_payload = jsonb_set(
      case when request_payload -> 'data' ? 'build'
        then jsonb_set(jsonb_set(request_payload, '{data,build,created_at}', ${isoText('events.created_at')}),
          '{data,build,updated_at}', ${isoText('events.created_at')})
        else jsonb_set(jsonb_set(request_payload, '{data,release,created_at}', ${isoText('events.created_at')}),
          '{data,release,updated_at}', ${isoText('events.created_at')}) end,
      '{created}', to_jsonb(extract(epoch from events.created_at)::bigint))
  from events where events.id = webhook_requests.event_id and events.dispatched_at is not null and $1::timestamptz is not null`,
  // The service deletes these rows after 30 days.
  `delete from webhook_requests where created_at < $1::timestamptz - interval '30 days'`,
  `delete from mails where created_at < $1::timestamptz - interval '30 days'`,
  // After a day, all ten attempts have failed. The attempts of younger requests continue.
  `update webhook_requests set state = 'failed', next_attempt_at = null, delivery_attempts = 10
  where state = 'waiting' and created_at < $1::timestamptz - interval '24 hours'`,
  `update webhook_requests set delivery_attempts = least(9, 4 + floor(extract(epoch from $1::timestamptz - created_at) / 10800)::int),
    next_attempt_at = $1::timestamptz + interval '35 minutes' + (created_at - $1::timestamptz) / 60
  where state = 'waiting'`,
  // The attempts follow the schedule of the service. Each attempt had the outcome of the one that was made.
  `update webhook_requests as request set attempts = (
    select jsonb_agg(jsonb_build_object(
      'started_at', ${isoText("case when index = 1 then request.created_at else greatest(request.created_at, least($1::timestamptz - interval '1 minute' * (request.delivery_attempts - index + 1), request.created_at + delays[index] * interval '1 second')) end")},
      'response_code', case when state = 'delivered' and index < request.delivery_attempts then 503 else response_code end,
      'duration', least(request.duration_ms * (0.9 + 0.03 * index), 15000), 'error', request.error) order by index)
    from generate_series(1, request.delivery_attempts) as index,
      (values (array[0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400])) as schedule (delays))
  where delivery_attempts > 0`,
  `update webhooks set last_successful_request_at = requests.succeeded, last_failed_request_at = requests.failed,
    in_error_state = requests.failed is not null and requests.failed > coalesce(requests.succeeded, '-infinity'),
    failing_since = case when requests.failed > coalesce(requests.succeeded, '-infinity') then requests.first_failed end
  from (
    select webhook_id, max(created_at) filter (where state = 'delivered') as succeeded,
      max(created_at) filter (where state <> 'delivered') as failed,
      greatest(min(created_at) filter (where state <> 'delivered'), $1::timestamptz - interval '4 days') as first_failed
    from webhook_requests group by 1
  ) as requests where requests.webhook_id = webhooks.id`,
]
