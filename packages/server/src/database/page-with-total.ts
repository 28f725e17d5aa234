import { sql, type Expression, type RawBuilder } from 'kysely'
import { customPlanMarker } from './statement-names.ts'
import type { Executor } from './transaction.ts'

type Query<Row> = {
  /** Includes every column that `inOrder` refers to. */
  page: Expression<Row>
  total: Expression<number>
  /** Sort expressions over the columns of `page`. */
  inOrder: RawBuilder<unknown>
  /** Whether to plan the statement for its values on every call, which takes a millisecond or two. */
  needsCustomPlan?: boolean
}

/** Returns a page and the total from one snapshot. Past the end of the list, only the page is empty. */
export async function pageWithTotal<Row extends object>(
  db: Executor,
  { page, total, inOrder, needsCustomPlan = false }: Query<Row>,
): Promise<{ rows: Row[]; total: number }> {
  const { rows } = await sql<Row & { total: number; is_row: true | null }>`
    select ${sql.raw(needsCustomPlan ? customPlanMarker : '')} page.*, counted.total from (select ${total} as total) as counted
    left join (select true as is_row, found.* from ${page} as found) as page on true
    order by ${inOrder}`.execute(db)
  return { rows: rows.filter(({ is_row }) => is_row), total: rows[0]?.total ?? 0 }
}
