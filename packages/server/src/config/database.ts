import type { SettingReader } from './setting-reader.ts'

/** What a node does: serve requests, run background jobs, or both. */
export type Role = 'all' | 'api' | 'worker'

export type DatabaseSettings = {
  /** The PostgreSQL server, or a connection pooler in front of it; undefined to use the embedded database. */
  databaseUrl: string | undefined
  /** The PostgreSQL server itself. Set if `databaseUrl` refers to a connection pooler in transaction mode. */
  databaseDirectUrl: string | undefined
  /** A streaming replica, which serves reads. */
  databaseReadUrl: string | undefined
  role: Role
}

type Reader = Pick<SettingReader, 'setting' | 'oneOf' | 'problems'>

/**
 * Returns whether the URL is valid. An unescaped `#`, `/` or `?` in a password would end the part of the URL that
 * contains the host.
 */
function isDatabaseUrl(text: string): boolean {
  // URL rejects a user without a host, but pg accepts it and uses the host parameter, PGHOST or localhost.
  const withHost = text.replace('@/', '@localhost/')
  if (!URL.canParse(withHost)) return false
  const { pathname, hash } = new URL(withHost)
  return !pathname.includes('@') && hash === ''
}

/** Returns the settings of the database. The URLs are never quoted in a problem, because they may contain a password. */
export function readDatabase({ setting, oneOf, problems }: Reader): DatabaseSettings {
  const url = (name: string) => {
    const value = setting(name)
    if (value === undefined) return undefined
    if (!/^postgres(ql)?:\/\//.test(value))
      problems.push(`${name} must start with postgres:// or postgresql://.`)
    else if (!isDatabaseUrl(value))
      problems.push(
        `${name} is not a valid URL. Percent-encode special characters in the user name and password, such as # as %23, / as %2F, ? as %3F and @ as %40.`,
      )
    return value
  }
  const databaseUrl = url('DATABASE_URL')
  const needsDatabaseUrl = (name: string) => {
    if (databaseUrl === undefined) problems.push(`${name} requires DATABASE_URL.`)
  }
  const optionalUrl = (name: string) => {
    const value = url(name)
    if (value !== undefined) needsDatabaseUrl(name)
    return value
  }
  const role = oneOf('QUAYSIDE_ROLE', ['all', 'api', 'worker'], 'all') as Role
  if (role === 'api' || role === 'worker') needsDatabaseUrl(`QUAYSIDE_ROLE=${role}`)
  return {
    databaseUrl,
    databaseDirectUrl: optionalUrl('DATABASE_DIRECT_URL'),
    databaseReadUrl: optionalUrl('DATABASE_READ_URL'),
    role,
  }
}
