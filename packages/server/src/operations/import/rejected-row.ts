import type { Tx } from '../../database/transaction.ts'
import { problem } from '../../lib/problem.ts'
import { reportedText } from '../../lib/reported-text.ts'
import type { Row } from './import.db.ts'

/** SQLSTATE classes of values and rows that the database does not accept. */
const rejection = /^2[123]/

class Undo extends Error {}

/**
 * Runs `work`, which inserts the rows. If the database rejects them, throws an error that names the first rejected row.
 * `insert` inserts the
 * first rows and then calls a function in the same transaction.
 */
export async function explainRejection(
  { table, rows, sourceIdOf }: { table: string; rows: readonly Row[]; sourceIdOf: (id: unknown) => unknown },
  insert: (count: number, complete: (tx: Tx) => Promise<void>) => Promise<void>,
  work: () => Promise<void>,
): Promise<void> {
  const isAccepted = (count: number) =>
    insert(count, () => Promise.reject(new Undo())).catch((error: unknown) => {
      if (error instanceof Undo) return true
      if (isRejection(error)) return false
      throw error
    })
  try {
    await work()
  } catch (error) {
    if (!isRejection(error)) throw error
    let [accepted, rejected] = [0, rows.length]
    while (rejected - accepted > 1) {
      const middle = Math.floor((accepted + rejected) / 2)
      if ((await isAccepted(middle)) === true) accepted = middle
      else rejected = middle
    }
    const id = sourceIdOf(rows[rejected - 1]?.['id'])
    const name = typeof id === 'string' ? `The row ${id}` : 'A row'
    throw rowRejected({ name, table, reason: reportedText(error.message, 300) })
  }
}

const isRejection = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && rejection.test(String(error.code))

const rowRejected = problem(
  'conflict',
  'export.invalid_row',
  '{name} of the table `{table}` was not imported: {reason}. The export was not made by Quayside, or it was modified. Export again on the other server.',
)
