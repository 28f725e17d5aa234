import { platforms } from '../../catalog/platforms.ts'
import type { Executor } from '../../database/transaction.ts'

/** Slugs attached to the application, in the order of the catalogue. */
export async function listAttachedPlatforms(db: Executor, applicationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('application_platforms')
    .select('platform')
    .where('application_id', '=', applicationId)
    .execute()
  const attached = new Set(rows.map(({ platform }) => platform))
  return platforms.map(({ identifier }) => identifier).filter((slug) => attached.has(slug))
}
