import { sql, type Insertable } from 'kysely'
import { requireApplication, selectApplication } from '../../access/application.db.ts'
import { asUuid, containsPattern } from '../../database/expressions.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Database } from '../../database/tables.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { notFound } from '../../lib/problem.ts'

type ScreenshotColumns = { id: string; width: number; height: number; size_bytes: number }

const screenshotsOfFeedback = sql<ScreenshotColumns[]>`coalesce((
  select json_agg(json_build_object('id', s.id, 'width', s.width, 'height', s.height, 'size_bytes', s.size_bytes)
    order by s.position)
  from feedback_screenshots s where s.feedback_id = feedback.id), '[]')`

const streamOfFeedback = sql<{ id: string; name: string } | null>`(
  select json_build_object('id', s.id, 'name', s.name)
  from streams stored_in join streams s on s.id = coalesce(stored_in.moving_to, stored_in.id)
  where stored_in.id = feedback.stream_id)`

/** Selects feedback on builds that are not in the trash. */
const selectFeedback = (db: Executor, applicationId: string) =>
  db
    .selectFrom('feedback')
    .innerJoin('builds', 'builds.id', 'feedback.build_id')
    .where('feedback.application_id', '=', applicationId)
    .where('builds.deleted_at', 'is', null)

const selectColumns = (db: Executor, applicationId: string) =>
  selectFeedback(db, applicationId)
    .selectAll('feedback')
    .select([
      'builds.version_major',
      'builds.version_minor',
      'builds.version_patch',
      'builds.version_extra',
      'builds.version_meta',
      'builds.build_number',
      'builds.platform',
      screenshotsOfFeedback.as('screenshots'),
      streamOfFeedback.as('stream'),
    ])

export type FeedbackRow = Awaited<ReturnType<ReturnType<typeof selectColumns>['executeTakeFirstOrThrow']>>

export async function requireFeedback(db: Executor, applicationId: string, id: string): Promise<FeedbackRow> {
  return selectColumns(db, applicationId).where('feedback.id', '=', id).executeTakeFirstOrThrow(notFound)
}

/** Finds the latest feedback on builds that are not in the trash. */
export async function findNewestFeedback(
  db: Executor,
  applicationId: string,
): Promise<FeedbackRow | undefined> {
  return selectColumns(db, applicationId)
    .orderBy('feedback.created_at', 'desc')
    .orderBy('feedback.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Loads the feedback that the path identifies; throws 404 if it does not exist. */
export async function requireFeedbackOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id: string; feedback_id: string }
}) {
  const { application_id, feedback_id } = call.params
  const application = await requireApplication(call.db, call.actor, application_id)
  return { feedback: await requireFeedback(call.db, application.id, feedback_id) }
}

/** Locks the feedback until the end of the transaction and returns it; throws 404 if it was deleted. */
export async function requireLockedFeedback(tx: Tx, applicationId: string, id: string): Promise<FeedbackRow> {
  await tx.selectFrom('feedback').select('id').where('id', '=', id).forUpdate().execute()
  return requireFeedback(tx, applicationId, id)
}

export type FeedbackFilter = {
  buildId: string | undefined
  state: string | undefined
  rating: number | undefined
  platform: string | undefined
  search: string | undefined
}

function selectMatching(
  db: Executor,
  applicationId: string,
  { buildId, state, rating, platform, search }: FeedbackFilter,
) {
  let matching = selectFeedback(db, applicationId)
  if (buildId !== undefined) matching = matching.where('feedback.build_id', '=', buildId)
  if (state !== undefined) matching = matching.where('feedback.state', '=', state)
  if (rating !== undefined) matching = matching.where('feedback.rating', '=', rating)
  if (platform !== undefined) matching = matching.where('builds.platform', '=', platform)
  if (search === undefined) return matching
  const pattern = containsPattern(search)
  return matching.where((eb) =>
    eb.or([
      eb('feedback.text', 'ilike', pattern),
      eb('feedback.name', 'ilike', pattern),
      eb('feedback.device', 'ilike', pattern),
      eb('feedback.os', 'ilike', pattern),
    ]),
  )
}

export async function listFeedbackPage(
  db: Executor,
  applicationId: string,
  filter: FeedbackFilter,
  direction: 'asc' | 'desc',
  page: Page,
) {
  const matching = selectMatching(db, applicationId, filter)
  const ids = matching
    .select('feedback.id')
    .orderBy('feedback.created_at', direction)
    .orderBy('feedback.id', direction)
    .limit(page.limit)
    .offset(page.offset)
  return listWithTotal(
    selectColumns(db, applicationId)
      .where(sql<boolean>`feedback.id = any(array(${ids}))`)
      .orderBy('feedback.created_at', direction)
      .orderBy('feedback.id', direction),
    matching,
  )
}

/**
 * Returns the application and whether it has the build of a filter, which is not in the trash. Uses a single statement.
 * Throws the same 404 as `requireApplication`.
 */
export async function requireApplicationWithBuild(
  db: Executor,
  actor: Actor,
  applicationId: string,
  buildId: string | undefined,
) {
  const { has_build: hasBuild = true, ...application } = await selectApplication(db, actor, applicationId)
    .$if(buildId !== undefined, (query) =>
      query.select((eb) =>
        eb
          .exists(
            eb
              .selectFrom('builds')
              .select('builds.id')
              .where('builds.application_id', '=', applicationId)
              .where('builds.id', '=', buildId ?? '')
              .where('builds.deleted_at', 'is', null),
          )
          .as('has_build'),
      ),
    )
    .executeTakeFirstOrThrow(notFound)
  return { application, hasBuild: Boolean(hasBuild) }
}

export async function insertFeedback(tx: Tx, feedback: Insertable<Database['feedback']>): Promise<void> {
  await tx.insertInto('feedback').values(feedback).execute()
}

export async function insertScreenshot(
  tx: Tx,
  screenshot: Insertable<Database['feedback_screenshots']>,
): Promise<void> {
  await tx.insertInto('feedback_screenshots').values(screenshot).execute()
}

type Closing = { id: string | null; name: string } | null

/** Closes feedback, or opens it again if nobody closes it. */
export async function saveFeedbackState(tx: Tx, id: string, closedBy: Closing): Promise<void> {
  await tx
    .updateTable('feedback')
    .set({
      state: closedBy === null ? 'open' : 'closed',
      closed_at: closedBy === null ? null : sql<string>`now()`,
      closed_by: closedBy?.id ?? null,
      closed_by_name: closedBy?.name ?? null,
    })
    .where('id', '=', id)
    .execute()
}

/** Deletes feedback with its screenshots, and returns the keys of their objects. */
export async function removeFeedback(tx: Tx, id: string): Promise<string[]> {
  const screenshots = await tx
    .deleteFrom('feedback_screenshots')
    .where('feedback_id', '=', id)
    .returning('object_key')
    .execute()
  await tx.deleteFrom('feedback').where('id', '=', id).execute()
  return screenshots.map(({ object_key }) => object_key)
}

/** Returns a screenshot with the key of its object; throws 404 if the feedback has no such screenshot. */
export async function requireScreenshot(db: Executor, feedbackId: string, id: string) {
  return db
    .selectFrom('feedback_screenshots')
    .select(['content_type', 'object_key'])
    .where('feedback_id', '=', feedbackId)
    .where('id', '=', asUuid(id))
    .executeTakeFirstOrThrow(notFound)
}
