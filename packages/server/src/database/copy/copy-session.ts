import pg from 'pg'
import { problem } from '../../lib/problem.ts'
import { addressOf, findRefusal, targetOf, unreachableReason } from '../target.ts'

/**
 * Opens a connection for COPY. Values are copied as text, so every session must use the same text formats. Throws a
 * Problem if the database cannot be reached.
 */
export async function openCopySession(config: pg.ClientConfig): Promise<pg.Client> {
  const target = targetOf(config)
  const client = new pg.Client({ ...config, application_name: 'quayside', connectionTimeoutMillis: 10_000 })
  // A connection that is lost while it is idle emits this event; the next statement then fails.
  client.on('error', () => {})
  try {
    await client.connect()
    // Copying a large table takes a long time, so the session has no timeouts.
    await client.query(`set timezone to 'UTC'; set datestyle to 'ISO'; set intervalstyle to 'postgres';
      set client_encoding to 'UTF8'; set bytea_output to 'hex'; set extra_float_digits to 1;
      set statement_timeout to 0; set lock_timeout to 0; set idle_in_transaction_session_timeout to 0`)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    const unreachable = databaseUnreachable(
      { address: addressOf(target), reason: unreachableReason(error) },
      { cause: error },
    )
    throw findRefusal(error, target) ?? unreachable
  }
}

const databaseUnreachable = problem(
  'unavailable',
  'database.unreachable',
  'The database at {address} cannot be reached ({reason}). Check the URL and whether PostgreSQL is running.',
)
