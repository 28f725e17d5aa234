import pg from 'pg'
import { problem, type Problem } from '../lib/problem.ts'

/** The PostgreSQL server and database that a connection uses. */
export type Target = { host: string; port: number; user: string; database: string }

/** Returns the target of a connection, with the defaults that pg uses. Throws if a certificate cannot be read. */
export function targetOf(config: pg.ClientConfig): Target {
  const { host, port, user = '', database = '' } = new pg.Client(config)
  return { host, port, user, database }
}

/** Returns the address for messages: `host:port`, or the folder of a Unix socket. */
export const addressOf = ({ host, port }: Target): string =>
  host.startsWith('/') ? `the socket in ${host}` : `${host.includes(':') ? `[${host}]` : host}:${port}`

const causes: Record<string, string> = {
  ECONNREFUSED: 'nothing accepts connections there',
  ENOENT: 'there is no socket',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be looked up',
  ETIMEDOUT: 'the host does not respond',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  EACCES: 'access is denied',
}

/** Returns why a connection could not be opened, such as `nothing accepts connections there`. */
export function unreachableReason(error: unknown): string {
  // AggregateError, which is thrown when a host name has several addresses, has a code but no message.
  const { message = '', code = '' } = (error ?? {}) as { message?: string; code?: string }
  const cause = causes[code]
  if (cause !== undefined) return cause
  return message || code || 'unknown error'
}

const untrustedCertificate = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|CERT_.*)$/

/**
 * Returns a Problem that tells the operator what to change if the server rejects the connection or the statements of
 * the service for a permanent reason, such as an incorrect password; undefined for other errors.
 */
export function findRefusal(error: unknown, target: Target): Problem | undefined {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  const { user, database } = target
  const address = addressOf(target)
  if (code === '28P01') return wrongPassword({ address, user }, { cause: error })
  if (message.includes('client password must be a string'))
    return passwordMissing({ address, user }, { cause: error })
  if (code === '3D000') return databaseMissing({ address, database, user }, { cause: error })
  if (code === '28000') return accessDenied({ address, user, message }, { cause: error })
  if (code === '42501') return privilegeMissing({ user, database, address, message }, { cause: error })
  if (message.startsWith('unsupported startup parameter'))
    return directUrlRequired({ address }, { cause: error })
  if (message === 'The server does not support SSL connections')
    return tlsUnsupported({ address }, { cause: error })
  if (untrustedCertificate.test(code)) return certificateNotTrusted({ address, code }, { cause: error })
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return otherCertificate({ address }, { cause: error })
  return undefined
}

const wrongPassword = problem(
  'unavailable',
  'database.wrong_password',
  'The database at {address} rejects the password of the user "{user}". Correct the user or the password in DATABASE_URL.',
)

const passwordMissing = problem(
  'unavailable',
  'database.password_missing',
  'The database at {address} requires a password for the user "{user}". Add it to DATABASE_URL: postgres://{user}:password@…',
)

const databaseMissing = problem(
  'unavailable',
  'database.missing',
  'The server at {address} has no database "{database}". Create it (create database "{database}" owner "{user}"), or correct its name in DATABASE_URL.',
)

const accessDenied = problem(
  'unavailable',
  'database.access_denied',
  'The database at {address} rejects connections from the user "{user}": {message}. Allow the connection in pg_hba.conf, or correct DATABASE_URL.',
)

const privilegeMissing = problem(
  'unavailable',
  'database.not_permitted',
  'The user "{user}" lacks a required privilege in the database "{database}" at {address}: {message}. Make the user its owner: alter database "{database}" owner to "{user}".',
)

const directUrlRequired = problem(
  'unavailable',
  'database.pooler',
  'The server at {address} is a connection pooler. Set DATABASE_DIRECT_URL to the URL of PostgreSQL itself.',
)

const tlsUnsupported = problem(
  'unavailable',
  'database.no_tls',
  'The database at {address} does not support TLS, which DATABASE_URL or PGSSLMODE requires. Enable it in PostgreSQL (ssl = on), or remove sslmode.',
)

const certificateNotTrusted = problem(
  'unavailable',
  'database.untrusted_certificate',
  'The TLS certificate of the database at {address} is not trusted ({code}). Add sslrootcert=/path/to/ca.pem to DATABASE_URL.',
)

const otherCertificate = problem(
  'unavailable',
  'database.other_certificate',
  'The TLS certificate of the database at {address} is for another host name. Use the name of the certificate in DATABASE_URL.',
)
