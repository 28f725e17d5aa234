import { sql, type Expression, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { Executor } from './transaction.ts'

type Query<Row> = {
  /** The rows of the page, with every column that `inOrder` refers to. */
  page: Expression<Row>
  total: Expression<number>
  /** Sort expressions over the columns of `page`. */
  inOrder: RawBuilder<unknown>
}

/**
 * Returns a page of rows and the total number of rows from one snapshot. Past the end of the list, the page is empty
 * but the total is still correct.
 */
export async function pageWithTotal<Row extends object>(
  db: Executor,
  { page, total, inOrder }: Query<Row>,
): Promise<{ rows: Row[]; total: number }> {
  const { rows } = await sql<Row & { total: number; is_row: true | null }>`
    select page.*, counted.total from (select ${total} as total) as counted
    left join (select true as is_row, found.* from ${page} as found) as page on true
    order by ${inOrder}`.execute(db)
  return { rows: rows.filter(({ is_row }) => is_row), total: rows[0]?.total ?? 0 }
}

/** Returns the rows of a page and the number of rows in `matching`. The two statements run concurrently. */
export async function listWithTotal<Row, DB, Tables extends keyof DB, Columns>(
  page: { execute(): Promise<Row[]> },
  matching: SelectQueryBuilder<DB, Tables, Columns>,
): Promise<{ rows: Row[]; total: number }> {
  const [rows, { total }] = await Promise.all([
    page.execute(),
    matching
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .$castTo<{ total: number }>()
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}
