import { sql, type Expression, type RawBuilder } from 'kysely'
import { plannedAnew } from './statement-names.ts'
import type { Executor } from './transaction.ts'

type Query<Row> = {
  /** Every column that `inOrder` names is one of it. */
  page: Expression<Row>
  total: Expression<number>
  /** Columns of `page`, which may be named so. */
  inOrder: RawBuilder<unknown>
  /** Plans it for its values each time, which takes a millisecond or two. */
  isPlannedAnew?: boolean
}

/** A page and the total in one statement and so of one moment, also past the end of the list. */
export async function pageWithTotal<Row extends object>(
  db: Executor,
  { page, total, inOrder, isPlannedAnew = false }: Query<Row>,
): Promise<{ rows: Row[]; total: number }> {
  const { rows } = await sql<Row & { total: number; is_row: true | null }>`
    select ${sql.raw(isPlannedAnew ? plannedAnew : '')} page.*, counted.total from (select ${total} as total) as counted
    left join (select true as is_row, found.* from ${page} as found) as page on true
    order by ${inOrder}`.execute(db)
  return { rows: rows.filter(({ is_row }) => is_row), total: rows[0]?.total ?? 0 }
}
