import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../database/transaction.ts'
import type { Version } from '../../lib/semver.ts'

export type References = Record<
  | 'build_id'
  | 'release_id'
  | 'share_link_id'
  | 'distribution_group_id'
  | 'portal_id'
  | 'api_key_id'
  | 'user_id',
  string | undefined
>

export type DownloadFilter = References & {
  applicationId: string
  email: string | undefined
  platform: string | undefined
  version: Version | undefined
  channel: string | undefined
  createdAfter: string | undefined
  createdBefore: string | undefined
}

/** The columns of a download that are compared with a value of the filter. */
const columns = [
  'share_link_id',
  'distribution_group_id',
  'portal_id',
  'api_key_id',
  'user_id',
  'email',
  'platform',
  'channel',
] as const

const all = (conditions: readonly RawBuilder<unknown>[]) => sql<boolean>`${sql.join(conditions, sql` and `)}`

/** The condition of the filter for `downloads`, except for the builds that `selectBuilds` selects. */
export function matchesFilter(filter: DownloadFilter): RawBuilder<boolean> {
  const conditions: RawBuilder<unknown>[] = [sql`downloads.application_id = ${filter.applicationId}`]
  for (const column of columns) {
    const value = filter[column]
    if (value !== undefined) conditions.push(sql`${sql.ref(`downloads.${column}`)} = ${value}`)
  }
  const { createdAfter, createdBefore } = filter
  if (createdAfter !== undefined) conditions.push(sql`downloads.created_at >= ${createdAfter}::timestamptz`)
  if (createdBefore !== undefined) conditions.push(sql`downloads.created_at < ${createdBefore}::timestamptz`)
  return all(conditions)
}

/** Selects the IDs of the builds to which the filter is limited, or returns undefined if it applies to all builds. */
export function selectBuilds(filter: DownloadFilter): RawBuilder<{ id: string }> | undefined {
  const { applicationId, build_id: buildId, release_id: releaseId, version } = filter
  if (buildId === undefined && releaseId === undefined && version === undefined) return undefined
  const conditions: RawBuilder<unknown>[] = [sql`application_id = ${applicationId}`]
  if (buildId !== undefined) conditions.push(sql`id = ${buildId}`)
  if (releaseId !== undefined)
    conditions.push(sql`id in (select build_id from release_builds where release_id = ${releaseId})`)
  if (version !== undefined) {
    const { major, minor, patch, extra, meta } = version
    conditions.push(
      sql`version_major = ${major} and version_minor = ${minor} and version_patch = ${patch}`,
      sql`version_extra is not distinct from ${extra} and version_meta is not distinct from ${meta}`,
    )
  }
  return sql<{ id: string }>`select id from builds where ${all(conditions)}`
}

/** Returns the fields whose value does not identify anything that could have downloads of the application. */
export async function listUnknownReferences(
  db: Executor,
  { id, workspace_id }: { id: string; workspace_id: string },
  ids: References,
): Promise<(keyof References)[]> {
  const ofApplication = (table: string) => (value: string) =>
    sql`select from ${sql.table(table)} where id = ${value} and application_id = ${id}`
  const inDownloads = (column: string, value: string) =>
    sql`select from downloads where ${sql.ref(column)} = ${value} and application_id = ${id}`
  const lookups: Record<keyof References, (value: string) => RawBuilder<unknown>> = {
    build_id: ofApplication('builds'),
    release_id: ofApplication('releases'),
    share_link_id: ofApplication('share_links'),
    // Other groups and portals of the workspace are unknown, because callers may have access to this application only.
    distribution_group_id: (value) => sql`select from distribution_group_releases gr
      join releases on releases.id = gr.release_id
      where distribution_group_id = ${value} and application_id = ${id}
      union all ${inDownloads('distribution_group_id', value)}`,
    portal_id: (
      value,
    ) => sql`select from portal_applications where portal_id = ${value} and application_id = ${id}
      union all ${inDownloads('portal_id', value)}`,
    api_key_id: (value) => sql`select from api_keys where id = ${value} and workspace_id = ${workspace_id}
      and (application_id is null or application_id = ${id})`,
    // Users who have left the workspace remain in its downloads.
    user_id: (
      value,
    ) => sql`select from workspace_members where user_id = ${value} and workspace_id = ${workspace_id}
      union all ${inDownloads('user_id', value)}`,
  }
  const given = Object.entries(lookups).flatMap(([field, lookup]) => {
    const value = ids[field as keyof References]
    return value === undefined ? [] : [{ field, lookup: lookup(value) }]
  })
  if (given.length === 0) return []
  const { rows } = await sql<{ field: keyof References }>`
    select field from (values ${sql.join(
      given.map(({ field, lookup }) => sql`(${field}::text, exists (${lookup}))`),
    )}) as named (field, is_known) where not is_known`.execute(db)
  return rows.map(({ field }) => field)
}
