import { sql, type RawBuilder } from 'kysely'
import { containsPattern } from '../../database/contains-pattern.ts'
import { pageWithTotal } from '../../database/page-with-total.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Page } from '../../http/pagination.ts'
import { selectBuilds } from './build.db.ts'

export type BuildFilter = {
  platforms: string[] | undefined
  streamIds: string[] | undefined
  labelIds: string[] | undefined
  customTargetIds: string[] | undefined
  sources: string[] | undefined
  branches: string[] | undefined
  search: string | undefined
  createdAfter: string | undefined
  createdBefore: string | undefined
}

export type BuildSort = 'version' | 'version_short' | 'size_total_bytes' | 'built_at' | 'created_at'

// each is the column order of one index
const sortColumns: Record<BuildSort, readonly string[]> = {
  version: ['version_sort'],
  version_short: ['version_major', 'version_minor', 'version_patch'],
  size_total_bytes: ['size_total_bytes'],
  built_at: ['built_at'],
  created_at: ['created_at'],
}

function conditions(applicationId: string, filter: BuildFilter): RawBuilder<boolean> {
  const all = [sql`builds.application_id = ${applicationId}`, sql`builds.deleted_at is null`]
  const anyOf = (column: string, values: string[] | undefined) => {
    if (values !== undefined) all.push(sql`${sql.ref(`builds.${column}`)} = any(${values})`)
  }
  anyOf('platform', filter.platforms)
  anyOf('stream_id', filter.streamIds)
  anyOf('build_source', filter.sources)
  anyOf('scm_branch', filter.branches)
  if (filter.customTargetIds !== undefined)
    all.push(sql`builds.custom_target_id = any(${filter.customTargetIds}::uuid[])`)
  if (filter.labelIds !== undefined)
    all.push(sql`exists (select from build_labels where build_labels.build_id = builds.id
      and build_labels.label_id = any(${filter.labelIds}))`)
  if (filter.createdAfter !== undefined)
    all.push(sql`builds.created_at >= ${filter.createdAfter}::timestamptz`)
  if (filter.createdBefore !== undefined)
    all.push(sql`builds.created_at < ${filter.createdBefore}::timestamptz`)
  if (filter.search !== undefined) all.push(matches(filter.search))
  return sql<boolean>`${sql.join(all, sql` and `)}`
}

function matches(search: string): RawBuilder<unknown> {
  const pattern = containsPattern(search)
  return sql`(
    concat(builds.version_major, '.', builds.version_minor, '.', builds.version_patch,
      '-' || builds.version_extra, '+' || builds.version_meta) ilike ${pattern}
    or builds.build_number ilike ${pattern} or builds.notes ilike ${pattern}
    or builds.scm_branch ilike ${pattern} or builds.scm_commit_sha ilike ${pattern}
    or exists (select from files where files.build_id = builds.id and files.filename ilike ${pattern}))`
}

/** One page and the total, in one statement and so of one moment. */
export async function listBuildsPage(
  db: Executor,
  applicationId: string,
  filter: BuildFilter,
  order: { sortBy: BuildSort; direction: 'asc' | 'desc' },
  page: Page,
) {
  const matching = db.selectFrom('builds').where(conditions(applicationId, filter))
  const total = matching.select((eb) => eb.fn.countAll<number>().as('total'))
  const columns = [...sortColumns[order.sortBy], 'id']
  const inOrder = (table: string) =>
    sql.join(columns.map((column) => sql`${sql.ref(`${table}.${column}`)} ${sql.raw(order.direction)}`))
  // the page is picked before anything is looked up for it: of the rows that it skips nothing is shown
  const picked = matching.select('builds.id').orderBy(inOrder('builds')).limit(page.limit).offset(page.offset)
  const rows = selectBuilds(db).where(sql<boolean>`builds.id = any(array(${picked}))`)
  return pageWithTotal(db, { page: rows, total: sql<number>`${total}`, inOrder: inOrder('page') })
}
