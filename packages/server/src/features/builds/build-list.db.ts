import { sql } from 'kysely'
import { pageWithTotal } from '../../database/page-with-total.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Page } from '../../http/pagination.ts'
import { conditionsOf, type BuildFilter } from './build-conditions.db.ts'
import { selectTotal } from './build-count.db.ts'
import { selectBuilds } from './build.db.ts'

export type BuildSort = 'version' | 'version_short' | 'size_total_bytes' | 'built_at' | 'created_at'

// each is the column order of one index
const sortColumns: Record<BuildSort, readonly string[]> = {
  version: ['version_sort'],
  version_short: ['version_major', 'version_minor', 'version_patch'],
  size_total_bytes: ['size_total_bytes'],
  built_at: ['built_at'],
  created_at: ['created_at'],
}

/** One page and the total, in one statement and so of one moment. */
export async function listBuildsPage(
  db: Executor,
  applicationId: string,
  filter: BuildFilter,
  order: { sortBy: BuildSort; direction: 'asc' | 'desc' },
  page: Page,
) {
  const matching = db.selectFrom('builds').where(conditionsOf(applicationId, filter))
  const columns = [...sortColumns[order.sortBy], 'id']
  const inOrder = (table: string) =>
    sql.join(columns.map((column) => sql`${sql.ref(`${table}.${column}`)} ${sql.raw(order.direction)}`))
  // the page is picked before anything is looked up for it: of the rows that it skips nothing is shown
  const picked = matching.select('builds.id').orderBy(inOrder('builds')).limit(page.limit).offset(page.offset)
  const rows = selectBuilds(db).where(sql<boolean>`builds.id = any(array(${picked}))`)
  return pageWithTotal(db, {
    page: rows,
    total: selectTotal(applicationId, filter),
    inOrder: inOrder('page'),
    // how many builds a branch or a label has differs by a million
    isPlannedAnew:
      filter.branches !== undefined || filter.labelIds !== undefined || filter.search !== undefined,
  })
}
