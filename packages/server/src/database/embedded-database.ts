import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  startEmbeddedPostgres,
} from '@quayside/embedded-postgres'
import { Problem } from '../lib/problem.ts'

type Options = Omit<Parameters<typeof startEmbeddedPostgres>[0], 'name'>

// Errors that switching to another PostgreSQL server would not fix, because the service's data is in this folder.
const aboutExistingData = new Set(['data_gone', 'foreign_folder', 'in_use'])

/** Starts the bundled PostgreSQL. Throws a Problem with a message for the operator. */
export async function startEmbeddedDatabase(options: Options): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres({ ...options, name: 'quayside' })
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error
    const hint = aboutExistingData.has(error.code)
      ? ''
      : '\nAlternatively, set DATABASE_URL to your own PostgreSQL server, version 15 or newer.'
    const code = `embedded_postgres.${error.code}`
    throw new Problem('unavailable', code, `${error.message}${hint}`, { cause: error })
  }
}
