import { sql } from 'kysely'
import { isoTimestamp } from '../../database/expressions.ts'
import type { Executor } from '../../database/transaction.ts'
import { selectIsShareLinkUsable } from './build.db.ts'

type VersionColumns = {
  version_major: number
  version_minor: number
  version_patch: number
  version_extra: string | null
  version_meta: string | null
}

/** What exempts a build from retention, apart from its stream. */
export type Keepers = {
  keep_forever: boolean
  release_count: number
  releases: { id: string; title: string; version: VersionColumns }[]
  share_link_count: number
  share_links: {
    id: string
    expires_at: string | null
    max_downloads: number | null
    download_count: number
  }[]
}

// A build may have thousands of releases and share links, so the response lists only the most recent ones.
const maxListed = 10

const releasesOf = sql`(
  select json_agg(json_build_object('id', r.id, 'title', r.title, 'version', json_build_object(
    'version_major', r.version_major, 'version_minor', r.version_minor, 'version_patch', r.version_patch,
    'version_extra', r.version_extra, 'version_meta', r.version_meta)) order by r.created_at desc, r.id)
  from (select releases.* from release_builds join releases on releases.id = release_builds.release_id
    where release_builds.build_id = builds.id order by releases.created_at desc, releases.id
    limit ${sql.lit(maxListed)}) as r)`

const shareLinksOf = sql`(
  select json_agg(json_build_object('id', l.id, 'expires_at', ${isoTimestamp(sql`l.expires_at`)},
    'max_downloads', l.max_downloads, 'download_count', l.download_count) order by l.created_at desc, l.id)
  from (select share_links.* from share_links where share_links.build_id = builds.id and ${selectIsShareLinkUsable}
    order by share_links.created_at desc, share_links.id limit ${sql.lit(maxListed)}) as l)`

/** Selects the keepers of a row of `builds` as JSON. */
export const selectKeepersJson = sql<Keepers>`json_build_object('keep_forever', builds.keep_forever,
  'release_count', (select count(*) from release_builds where release_builds.build_id = builds.id),
  'releases', coalesce(${releasesOf}, '[]'),
  'share_link_count', (select count(*) from share_links
    where share_links.build_id = builds.id and ${selectIsShareLinkUsable}),
  'share_links', coalesce(${shareLinksOf}, '[]'))`

/** Returns what keeps each of the builds. */
export async function listKeepersOfBuilds(db: Executor, ids: string[]): Promise<Map<string, Keepers>> {
  const rows = await db
    .selectFrom('builds')
    .select(['id', selectKeepersJson.as('keepers')])
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
  return new Map(rows.map(({ id, keepers }) => [id, keepers]))
}
