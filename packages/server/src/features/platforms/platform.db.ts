import { sql } from 'kysely'
import { platforms } from '../../catalog/platforms.ts'
import type { Executor, Tx } from '../../database/transaction.ts'

/** Selects whether the platform is attached to the application. */
export const selectIsAttached = (db: Executor, applicationId: string, platform: string) =>
  db.selectNoFrom((eb) =>
    eb
      .exists(
        eb
          .selectFrom('application_platforms')
          .where('application_platforms.application_id', '=', applicationId)
          .where('application_platforms.platform', '=', platform),
      )
      .as('is_attached'),
  )

/** Lists the slugs of the application's platforms in catalog order. */
export async function listAttachedPlatforms(db: Executor, applicationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('application_platforms')
    .select('platform')
    .where('application_id', '=', applicationId)
    .execute()
  const attached = new Set(rows.map(({ platform }) => platform))
  return platforms.map(({ identifier }) => identifier).filter((slug) => attached.has(slug))
}

/**
 * Lists the given platforms for which the application has builds, including builds in the trash, or unfinished uploads.
 */
export async function listPlatformsInUse(db: Executor, applicationId: string, slugs: string[]) {
  const here = sql`application_id = ${applicationId}`
  const { rows } = await sql<{ platform: string }>`
    select platform from unnest(${slugs}::text[]) platform
    where exists (select from builds b where ${here} and b.platform = platform.platform and deleted_at is null)
      or exists (select from builds b where ${here} and b.platform = platform.platform and deleted_at is not null)
      or exists (select from pending_uploads where ${here} and draft->>'platform' = platform.platform
        and (state = 'verifying' or (state = 'requested' and expires_at > now())))`.execute(db)
  return rows.map(({ platform }) => platform)
}

export async function insertApplicationPlatforms(
  tx: Tx,
  applicationId: string,
  slugs: string[],
): Promise<void> {
  if (slugs.length === 0) return
  const rows = slugs.map((platform) => ({ application_id: applicationId, platform }))
  await tx.insertInto('application_platforms').values(rows).execute()
}

export async function deleteApplicationPlatforms(
  tx: Tx,
  applicationId: string,
  slugs: string[],
): Promise<void> {
  if (slugs.length === 0) return
  await tx
    .deleteFrom('application_platforms')
    .where('application_id', '=', applicationId)
    .where('platform', 'in', slugs)
    .execute()
}
