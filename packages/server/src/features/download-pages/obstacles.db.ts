import { sql } from 'kysely'
import { isoTimestamp } from '../../database/expressions.ts'
import type { Executor } from '../../database/transaction.ts'
import type { VersionColumns } from '../../http/endpoint/version-parts.ts'
import type { AndroidInfo } from '../../inspection/inspection.ts'
import { selectIsShownByPortal } from '../permalinks/permalink.db.ts'

/** Only the newest builds are compared, so that the page opens quickly. */
const maxBuilds = 200

export type OtherBuild = VersionColumns & {
  build_number: string | null
  android_info: Partial<AndroidInfo>
  created_at: string
}

type Query = {
  applicationId: string
  recipient?: string
  packages: readonly string[]
  ids: readonly string[]
}

/**
 * Lists other Android builds of the packages that every visitor may see in a public portal, or the recipient of a
 * personal link in another release that was sent to them; newest first.
 */
export async function listOtherBuilds(
  db: Executor,
  { applicationId, recipient, packages, ids }: Query,
): Promise<OtherBuild[]> {
  const wasSent =
    recipient === undefined
      ? sql`false`
      : sql`exists (select from release_builds join releases on releases.id = release_builds.release_id
          join release_notifications on release_notifications.release_id = releases.id
          where release_builds.build_id = builds.id and releases.status = 'published'
            and release_notifications.email = ${recipient})`
  const { rows } = await sql<OtherBuild>`
    select version_major, version_minor, version_patch, version_extra, version_meta, build_number, android_info,
      ${isoTimestamp(sql`created_at`)} as created_at
    from (
      select * from builds where application_id = ${applicationId} and platform = 'android' and deleted_at is null
      order by created_at desc, id desc limit ${maxBuilds}::int
    ) as builds
    where android_info ->> 'package_name' = any(${packages}::text[]) and id <> all(${ids}::text[])
      and (${wasSent} or ${selectIsShownByPortal})
    order by created_at desc, id desc`.execute(db)
  return rows
}
