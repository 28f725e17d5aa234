import { isIP } from 'node:net'
import { Problem } from './lib/problem.ts'

export type Config = Readonly<{
  host: string
  port: number
  /** Base of every URL in a response, without a trailing slash. */
  publicUrl: string
  dataDir: string
  databaseUrl: string | undefined
  /** How long startup waits for the database. */
  databaseWaitSeconds: number
  bootstrapKey: string | undefined
  /** If undefined, a master secret is created and stored in the data folder. */
  secret: string | undefined
  /** The master secret before the last change, or `lostSecret`. */
  secretPrevious: string | undefined
  chunkThresholdMb: number
  partSizeMb: number
  uploadTtlHours: number
  trashDays: number
  /** Percentage of the stored files that one run may set aside as orphaned; 100 = no limit. */
  orphanLimitPercent: number
  /** Requests per minute for each key; 0 = no limit. */
  rateLimit: number
  /** Requests per minute for the bootstrap key; 0 = no limit. */
  bootstrapRateLimit: number
  /** Download links per minute for each application; the workspace limit is twice this. 0 = no limit. */
  downloadRateLimit: number
  /** Requests per minute from one address to endpoints that require no key; 0 = no limit. */
  publicRateLimit: number
  /** Requests per minute from one address with an invalid key; 0 = no limit. */
  failedKeyLimit: number
  /** Addresses and ranges of proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: readonly string[]
  accelRedirectPrefix: string | undefined
  /** smtp:// or smtps://, with user and password if the server requires them. */
  smtpUrl: string | undefined
  mailFrom: string
  /** Non-public address ranges in which OIDC issuers may be called. */
  issuerAllowPrivate: readonly string[]
  /** DNS servers to use instead of the system's, as `address` or `address:port`. */
  dnsServers: readonly string[]
  logLevel: string
}>

export type Environment = Readonly<Record<string, string | undefined>>

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

function isAddressRange(text: string): boolean {
  const [, address = '', bits] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const version = isIP(address)
  return version !== 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128)
}

function isNameServer(text: string): boolean {
  const [, v6, v4 = '', port] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  return isIP(v6 ?? v4) !== 0 ? Number(port ?? 53) <= 65_535 : isIP(text) === 6
}

/** The value of QUAYSIDE_SECRET_PREVIOUS when the previous secret is lost. */
export const lostSecret = 'lost'

const minSecretLength = 32
// Fewer than one in a million random strings of 32 hexadecimal digits have fewer than 8 different digits.
const minDifferentCharacters = 8

/** Returns why a secret is too weak, worded as a sentence predicate; undefined if it is strong enough. */
export function weaknessOf(secret: string): string | undefined {
  if (secret === '') return 'is empty'
  if (secret.length < minSecretLength) return `must be at least ${minSecretLength} characters long`
  if (new Set(secret).size >= minDifferentCharacters) return undefined
  return `must contain at least ${minDifferentCharacters} different characters`
}

/** Reads the settings; throws a Problem that lists each invalid setting with its valid values. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const setting = (name: string) => {
    const value = environment[name]?.trim()
    return value === '' ? undefined : value
  }
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const value = setting(name) ?? String(fallback)
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    problems.push(`${name} must be an integer between ${min} and ${max}, not "${value}".`)
    return fallback
  }
  const oneOf = (name: string, allowed: readonly string[], fallback: string) => {
    const value = setting(name) ?? fallback
    if (!allowed.includes(value))
      problems.push(`${name} must be one of ${allowed.join(', ')}, not "${value}".`)
    return value
  }
  const origin = (name: string, fallback: string) => {
    const value = setting(name) ?? fallback
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '')
      return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
    problems.push(`${name} must be an http or https URL such as https://builds.example.com, not "${value}".`)
    return fallback
  }
  const list = (name: string, isValid: (entry: string) => boolean, entries: string) => {
    const values = (setting(name) ?? '').split(',').flatMap((text) => text.trim() || [])
    for (const value of values)
      if (!isValid(value))
        problems.push(`${name} must be a comma-separated list of ${entries}, not "${value}".`)
    return values
  }
  const addresses = (name: string) => list(name, isAddressRange, 'addresses or ranges such as 10.0.0.0/8')
  const secretText = (name: string, except?: string) => {
    const value = setting(name)
    const weakness = value === undefined || value === except ? undefined : weaknessOf(value)
    if (weakness !== undefined) problems.push(`${name} ${weakness}. Generate one with: openssl rand -hex 32`)
    return value
  }
  const databaseUrl = setting('DATABASE_URL')
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl))
    problems.push('DATABASE_URL must start with postgres:// or postgresql://.')
  const smtpUrl = setting('QUAYSIDE_SMTP_URL')
  // The value is never quoted because it may contain a password.
  if (smtpUrl !== undefined && !(/^smtps?:\/\/./.test(smtpUrl) && URL.canParse(smtpUrl)))
    problems.push('QUAYSIDE_SMTP_URL must be a URL such as smtp://user:password@mail.example.com:587.')
  const mailFrom = (publicUrl: string) => {
    const value = setting('QUAYSIDE_MAIL_FROM') ?? `Quayside <no-reply@${new URL(publicUrl).hostname}>`
    if (!/^([^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value))
      problems.push(
        `QUAYSIDE_MAIL_FROM must be an address such as "Builds <builds@example.com>", not "${value}".`,
      )
    return value
  }
  oneOf('QUAYSIDE_STORAGE', ['local'], 'local')

  const rateLimit = integer('QUAYSIDE_RATE_LIMIT', 600, 0, 1_000_000)
  const port = integer('QUAYSIDE_PORT', 4400, 0, 65_535)
  const publicUrl = origin('QUAYSIDE_PUBLIC_URL', `http://localhost:${port}`)
  const config: Config = {
    host: setting('QUAYSIDE_HOST') ?? '127.0.0.1',
    port,
    publicUrl,
    dataDir: setting('QUAYSIDE_DATA_DIR') ?? './data',
    databaseUrl,
    databaseWaitSeconds: integer('QUAYSIDE_DATABASE_WAIT_SECONDS', 60, 0, 86_400),
    bootstrapKey: secretText('QUAYSIDE_BOOTSTRAP_KEY'),
    secret: secretText('QUAYSIDE_SECRET'),
    secretPrevious: secretText('QUAYSIDE_SECRET_PREVIOUS', lostSecret),
    chunkThresholdMb: integer('QUAYSIDE_CHUNK_THRESHOLD_MB', 64, 5, 5120),
    partSizeMb: integer('QUAYSIDE_PART_SIZE_MB', 16, 5, 5120),
    uploadTtlHours: integer('QUAYSIDE_UPLOAD_TTL_HOURS', 24, 1, 24 * 365),
    trashDays: integer('QUAYSIDE_TRASH_DAYS', 7, 0, 3650),
    orphanLimitPercent: integer('QUAYSIDE_ORPHAN_LIMIT_PERCENT', 1, 0, 100),
    rateLimit,
    bootstrapRateLimit: integer('QUAYSIDE_BOOTSTRAP_RATE_LIMIT', rateLimit, 0, 1_000_000),
    downloadRateLimit: integer('QUAYSIDE_DOWNLOAD_RATE_LIMIT', 30, 0, 1_000_000),
    publicRateLimit: integer('QUAYSIDE_PUBLIC_RATE_LIMIT', 1_200, 0, 1_000_000),
    failedKeyLimit: integer('QUAYSIDE_FAILED_KEY_LIMIT', 600, 0, 1_000_000),
    trustedProxies: addresses('QUAYSIDE_TRUSTED_PROXIES'),
    accelRedirectPrefix: setting('QUAYSIDE_ACCEL_REDIRECT_PREFIX'),
    smtpUrl,
    mailFrom: mailFrom(publicUrl),
    issuerAllowPrivate: addresses('QUAYSIDE_ISSUER_ALLOW_PRIVATE'),
    dnsServers: list(
      'QUAYSIDE_DNS_SERVERS',
      isNameServer,
      'servers such as 9.9.9.9, 10.0.0.2:5353 or [fd00::2]:53',
    ),
    logLevel: oneOf('QUAYSIDE_LOG_LEVEL', logLevels, 'info'),
  }
  if (problems.length > 0) throw new Problem('invalid', 'config.invalid', problems.join('\n'))
  return Object.freeze(config)
}
