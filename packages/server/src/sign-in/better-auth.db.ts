import { kyselyAdapter } from '@better-auth/kysely-adapter'
import type { KyselyPlugin } from 'kysely'
import type { Db } from '../database/transaction.ts'

const timestampColumn = /_(at|until)$/

/** Converts timestamps in results to dates. better-auth compares them with the current time without converting them. */
const datesInResults: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    const rows = result.rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          typeof value === 'string' && timestampColumn.test(column) ? new Date(value) : value,
        ]),
      ),
    )
    return { ...result, rows }
  },
}

/** Returns the adapter with which better-auth reads and writes the tables of this folder and the columns of users. */
export const betterAuthAdapter = (db: Db) =>
  kyselyAdapter(db.withPlugin(datesInResults) as never, { type: 'postgres', transaction: true })
