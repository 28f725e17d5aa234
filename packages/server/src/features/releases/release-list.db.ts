import { sql, type RawBuilder } from 'kysely'
import { containsPattern, nameOrder } from '../../database/expressions.ts'
import { pageWithTotal } from '../../database/page-with-total.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { selectReleases } from './release.db.ts'

export type ReleaseFilter = {
  search: string | undefined
  labelIds: string[] | undefined
  platforms: string[] | undefined
  statuses: string[] | undefined
}

export type ReleaseSort = 'version' | 'version_short' | 'title' | 'created_at'

type Column = (table: string) => RawBuilder<unknown>
const column =
  (name: string): Column =>
  (table) =>
    sql.ref(`${table}.${name}`)
const id = column('id')

// Each entry matches the column order of an index.
const sortColumns: Record<ReleaseSort, readonly Column[]> = {
  version: [column('version_sort')],
  version_short: [column('version_major'), column('version_minor'), column('version_patch')],
  title: [(table) => nameOrder(`${table}.title`)],
  created_at: [column('created_at')],
}

function conditionsOf(applicationId: string, filter: ReleaseFilter): RawBuilder<boolean> {
  const all = [sql`releases.application_id = ${applicationId}`]
  if (filter.labelIds !== undefined)
    all.push(sql`exists (select from release_labels where release_labels.release_id = releases.id
      and release_labels.label_id = any(${filter.labelIds}))`)
  if (filter.platforms !== undefined)
    all.push(sql`exists (select from release_builds join builds on builds.id = release_builds.build_id
      where release_builds.release_id = releases.id and builds.deleted_at is null
      and builds.platform = any(${filter.platforms}))`)
  if (filter.statuses !== undefined) all.push(sql`releases.status = any(${filter.statuses})`)
  if (filter.search !== undefined) {
    const pattern = containsPattern(filter.search)
    all.push(sql`(releases.title ilike ${pattern} or releases.id ilike ${pattern}
      or concat(releases.version_major, '.', releases.version_minor, '.', releases.version_patch,
        '-' || releases.version_extra, '+' || releases.version_meta) ilike ${pattern})`)
  }
  return sql<boolean>`${sql.join(all, sql` and `)}`
}

/** Returns a page of releases and the total count, read in one statement so that they are consistent. */
export async function listReleasesPage(
  db: Executor,
  applicationId: string,
  filter: ReleaseFilter,
  order: { sortBy: ReleaseSort; direction: 'asc' | 'desc' },
  page: Page,
) {
  const where = conditionsOf(applicationId, filter)
  const inOrder = (table: string) =>
    sql.join(
      [...sortColumns[order.sortBy], id].map((column) => sql`${column(table)} ${sql.raw(order.direction)}`),
    )
  const rows = selectReleases(db)
    .where(where)
    .orderBy(inOrder('releases'))
    .limit(page.limit)
    .offset(page.offset)
  const total = sql<number>`(select count(*) from releases where ${where})`
  return pageWithTotal(db, { page: rows, total, inOrder: inOrder('page') })
}
