import {
  connectToRunningPostgres,
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  startEmbeddedPostgres,
} from '@quayside/embedded-postgres'
import { Problem } from '../lib/problem.ts'

const name = 'quayside'

type Options = Omit<Parameters<typeof startEmbeddedPostgres>[0], 'name'>

// The messages for these errors do not suggest DATABASE_URL, because the folder may contain the data of the service.
const aboutExistingData = new Set(['data_gone', 'foreign_folder', 'in_use'])

/** Starts the bundled PostgreSQL. If it cannot start, throws a Problem whose message is meant for the operator. */
export async function startEmbeddedDatabase(options: Options): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres({ ...options, name })
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error
    const hint = aboutExistingData.has(error.code)
      ? ''
      : '\nAlternatively, set DATABASE_URL to your own PostgreSQL server, version 15 or newer.'
    const code = `embedded_postgres.${error.code}`
    throw new Problem('unavailable', code, `${error.message}${hint}`, { cause: error })
  }
}

/** Returns a connection to the bundled PostgreSQL that the running service has started. Valid until `close` is called. */
export const connectToRunningDatabase = (dataDir: string): ReturnType<typeof connectToRunningPostgres> =>
  connectToRunningPostgres({ dataDir, name })
