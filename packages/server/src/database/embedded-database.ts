import {
  connectToRunningPostgres,
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  startEmbeddedPostgres,
} from '@quayside/embedded-postgres'
import { problem } from '../lib/problem.ts'

const name = 'quayside'

type Options = Omit<Parameters<typeof startEmbeddedPostgres>[0], 'name'>

// The messages for these errors do not suggest DATABASE_URL, because the folder may contain the data of the service.
const aboutExistingData = new Set(['data_gone', 'foreign_folder', 'in_use'])

const startFailures = {
  data_gone: problem('unavailable', 'embedded_postgres.data_gone', '{reason}'),
  failed: problem('unavailable', 'embedded_postgres.failed', '{reason}'),
  foreign_folder: problem('unavailable', 'embedded_postgres.foreign_folder', '{reason}'),
  in_use: problem('unavailable', 'embedded_postgres.in_use', '{reason}'),
  initdb_failed: problem('unavailable', 'embedded_postgres.initdb_failed', '{reason}'),
  no_account: problem('unavailable', 'embedded_postgres.no_account', '{reason}'),
  no_connection: problem('unavailable', 'embedded_postgres.no_connection', '{reason}'),
  no_package: problem('unavailable', 'embedded_postgres.no_package', '{reason}'),
  not_runnable: problem('unavailable', 'embedded_postgres.not_runnable', '{reason}'),
  not_started: problem('unavailable', 'embedded_postgres.not_started', '{reason}'),
  other_version: problem('unavailable', 'embedded_postgres.other_version', '{reason}'),
  path_too_long: problem('unavailable', 'embedded_postgres.path_too_long', '{reason}'),
  unsupported_system: problem('unavailable', 'embedded_postgres.unsupported_system', '{reason}'),
} satisfies Record<EmbeddedPostgresError['code'], unknown>

/** Starts the bundled PostgreSQL. If it cannot start, throws a Problem whose message is meant for the operator. */
export async function startEmbeddedDatabase(options: Options): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres({ ...options, name })
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error
    throw startFailures[error.code]({ reason: `${error.message}${hintFor(error.code)}` }, { cause: error })
  }
}

function hintFor(code: EmbeddedPostgresError['code']): string {
  if (aboutExistingData.has(code)) return ''
  const server = 'set DATABASE_URL to your own PostgreSQL server, version 15 or newer'
  return code === 'unsupported_system'
    ? `\nRun the container image (docs/containers.md), or ${server}.`
    : `\nAlternatively, ${server}.`
}

/** Returns a connection to the bundled PostgreSQL that the running service has started. Valid until `close` is called. */
export const connectToRunningDatabase = (dataDir: string): ReturnType<typeof connectToRunningPostgres> =>
  connectToRunningPostgres({ dataDir, name })
