import { sql } from 'kysely'
import { customPlanMarker } from '../../database/statement-names.ts'
import type { Executor } from '../../database/transaction.ts'
import type { ListPosition } from '../../http/endpoint/cursor.ts'
import { matchesFilter, selectBuilds, type DownloadFilter } from './download-filter.db.ts'

/**
 * Selects the IDs of up to `limit` downloads after the position, the latest first. The rows of each build are read in
 * the order of the index, because those of all builds together would have to be sorted.
 */
function selectIds(filter: DownloadFilter, after: ListPosition | undefined, limit: number) {
  const isAfter =
    after === undefined
      ? sql``
      : sql`and (downloads.created_at, downloads.id) < (${after.time}::timestamptz, ${after.id}::uuid)`
  const order = sql`order by created_at desc, id desc limit ${limit}`
  const builds = selectBuilds(filter)
  if (builds === undefined)
    return sql<string>`select ${sql.raw(customPlanMarker)} id from downloads
      where ${matchesFilter(filter)} ${isAfter} ${order}`
  return sql<string>`select ${sql.raw(customPlanMarker)} latest.id from (${builds}) as b cross join lateral (
      select id, created_at from downloads
      where downloads.build_id = b.id and ${matchesFilter(filter)} ${isAfter} ${order}
    ) as latest ${order}`
}

const selectDownloads = (db: Executor) =>
  db
    .selectFrom('downloads')
    .innerJoin('builds', 'builds.id', 'downloads.build_id')
    .leftJoin('files', 'files.id', 'downloads.file_id')
    .leftJoin('api_keys', 'api_keys.id', 'downloads.api_key_id')
    .leftJoin('users', 'users.id', 'downloads.user_id')
    .leftJoin('workspace_members as members', (join) =>
      join
        .onRef('members.user_id', '=', 'downloads.user_id')
        .onRef('members.workspace_id', '=', 'downloads.workspace_id'),
    )
    .leftJoin('distribution_groups as groups', 'groups.id', 'downloads.distribution_group_id')
    .leftJoin('portals', 'portals.id', 'downloads.portal_id')
    .select([
      'downloads.id',
      'downloads.channel',
      'downloads.is_install',
      'downloads.build_id',
      'builds.version_major',
      'builds.version_minor',
      'builds.version_patch',
      'builds.version_extra',
      'builds.version_meta',
      'builds.build_number',
      'downloads.platform',
      'downloads.file_id',
      'files.filename',
      'downloads.metadata_artifact_id',
      'downloads.share_link_id',
      'downloads.distribution_group_id',
      'groups.name as distribution_group_name',
      'downloads.portal_id',
      'portals.name as portal_name',
      'downloads.api_key_id',
      'api_keys.name as api_key_name',
      'downloads.user_id',
      // People who have left the workspace have only the name of their account, which may be empty.
      sql<string | null>`coalesce(members.name, nullif(users.name, ''), users.email)`.as('user_name'),
      'downloads.email',
      sql<string | null>`host(downloads.address)`.as('address'),
      'downloads.user_agent',
      'downloads.created_at',
    ])

export type ListedDownloadRow = Awaited<
  ReturnType<ReturnType<typeof selectDownloads>['executeTakeFirstOrThrow']>
>

/** Lists up to `limit` downloads after the position, the latest first. */
export async function listDownloadsAfter(
  db: Executor,
  filter: DownloadFilter,
  after: ListPosition | undefined,
  limit: number,
): Promise<ListedDownloadRow[]> {
  return selectDownloads(db)
    .where(sql<boolean>`downloads.id = any(array(${selectIds(filter, after, limit)}))`)
    .orderBy('downloads.created_at', 'desc')
    .orderBy('downloads.id', 'desc')
    .execute()
}

/** What downloads can be counted by, with the columns of their group. */
const groupings = {
  channel: { value: sql`counted.channel`, kind: sql`null`, name: sql`null`, join: sql`` },
  platform: { value: sql`counted.platform`, kind: sql`null`, name: sql`null`, join: sql`` },
  share_link: { value: sql`counted.share_link_id`, kind: sql`null`, name: sql`null`, join: sql`` },
  build: {
    value: sql`builds.id`,
    kind: sql`null`,
    name: sql`build_version(version_major, version_minor, version_patch, version_extra, version_meta)
      || coalesce(' (' || build_number || ')', '')`,
    join: sql`join builds on builds.id = counted.build_id`,
  },
  version: {
    value: sql`build_version(version_major, version_minor, version_patch, version_extra, version_meta)`,
    kind: sql`null`,
    name: sql`null`,
    join: sql`join builds on builds.id = counted.build_id`,
  },
  distribution_group: {
    value: sql`groups.id`,
    kind: sql`null`,
    name: sql`groups.name`,
    join: sql`join distribution_groups groups on groups.id = counted.distribution_group_id`,
  },
  portal: {
    value: sql`portals.id`,
    kind: sql`null`,
    name: sql`portals.name`,
    join: sql`join portals on portals.id = counted.portal_id`,
  },
  person: {
    value: sql`coalesce(counted.email, users.id, keys.id)`,
    kind: sql`case when counted.email is not null then 'email' when users.id is not null then 'user' else 'api_key' end`,
    name: sql`coalesce(counted.email, members.name, nullif(users.name, ''), users.email, keys.name)`,
    join: sql`left join users on users.id = counted.user_id left join api_keys keys on keys.id = counted.api_key_id
      left join workspace_members members
        on members.user_id = counted.user_id and members.workspace_id = counted.workspace_id`,
  },
} as const

export type Grouping = keyof typeof groupings
export const groupingNames = Object.keys(groupings) as Grouping[]

/** The columns of `downloads` by which rows are first counted, so that the others are joined to few rows. */
const countedColumns: Record<Grouping, readonly string[]> = {
  channel: ['channel'],
  platform: ['platform'],
  share_link: ['share_link_id'],
  build: ['build_id'],
  version: ['build_id'],
  distribution_group: ['distribution_group_id'],
  portal: ['portal_id'],
  person: ['workspace_id', 'email', 'user_id', 'api_key_id'],
}

type DownloadGroup = {
  value: string
  kind: string | null
  name: string | null
  downloads: number
  installs: number
  latest_at: string
  all_groups: number
}

type Totals = { all_downloads: number; all_installs: number }

/**
 * Counts the downloads, and by the grouping. Returns the `limit` groups with the most downloads; each has the number of
 * groups. Downloads that belong to no group, such as those of unknown people, are only in the total.
 */
export async function countDownloads(
  db: Executor,
  filter: DownloadFilter,
  grouping: Grouping,
  limit: number,
) {
  const { value, kind, name, join } = groupings[grouping]
  const counted = sql.join(countedColumns[grouping].map((column) => sql.ref(column)))
  const builds = selectBuilds(filter)
  const ofBuilds = builds === undefined ? sql`` : sql`and build_id = any(array(${builds}))`
  const { rows } = await sql<Totals & (DownloadGroup | { value: null })>`
    with counted as (
      select ${counted}, count(*) as downloads, count(*) filter (where is_install) as installs,
        max(created_at) as latest_at
      from downloads where ${matchesFilter(filter)} ${ofBuilds} group by ${counted}
    ), largest as (
      select ${value} as value, ${kind}::text as kind, ${name}::text as name, sum(downloads)::bigint as downloads,
        sum(installs)::bigint as installs, max(latest_at) as latest_at, count(*) over () as all_groups
      from counted ${join} where ${value} is not null
      group by 1, 2, 3 order by downloads desc, value limit ${limit}
    )
    select total.*, largest.* from (
      select coalesce(sum(downloads), 0)::bigint as all_downloads, coalesce(sum(installs), 0)::bigint as all_installs
      from counted) as total left join largest on true
    order by largest.downloads desc, largest.value`.execute(db)
  return {
    downloads: rows[0]?.all_downloads ?? 0,
    installs: rows[0]?.all_installs ?? 0,
    groups: rows.filter((row) => row.value !== null),
  }
}
