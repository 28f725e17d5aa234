import { isIP } from 'node:net'
import { Problem } from './lib/problem.ts'

export type Config = Readonly<{
  host: string
  port: number
  /** Origin that every URL in an answer starts with, without a trailing slash. */
  publicUrl: string
  dataDir: string
  databaseUrl: string | undefined
  bootstrapKey: string | undefined
  /** Master secret from the environment; else one is kept in the data folder. */
  secret: string | undefined
  chunkThresholdMb: number
  partSizeMb: number
  uploadTtlHours: number
  trashDays: number
  /** Requests a minute a key; 0 = no limit. */
  rateLimit: number
  /** The same for the bootstrap key. */
  bootstrapRateLimit: number
  /** Download links a minute an application, twice as many a workspace; 0 = no limit. */
  downloadRateLimit: number
  /** Addresses whose X-Forwarded-For says who asks: addresses and ranges. */
  trustedProxies: readonly string[]
  accelRedirectPrefix: string | undefined
  /** smtp:// or smtps://, with user and password where the server asks for them. */
  smtpUrl: string | undefined
  mailFrom: string
  /** Ranges of addresses, besides the public ones, where OIDC issuers may be called. */
  issuerAllowPrivate: readonly string[]
  /** `address` or `address:port` of DNS servers to ask instead of the system's. */
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

/** Reads the settings; throws a Problem that names each bad one and what it takes. */
export function readConfig(environment: Environment): Config {
  const wrong: string[] = []
  const given = (name: string) => {
    const value = environment[name]?.trim()
    return value === '' ? undefined : value
  }
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const value = given(name) ?? String(fallback)
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    wrong.push(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
    return fallback
  }
  const oneOf = (name: string, allowed: readonly string[], fallback: string) => {
    const value = given(name) ?? fallback
    if (!allowed.includes(value)) wrong.push(`${name} must be one of ${allowed.join(', ')}, not "${value}".`)
    return value
  }
  const origin = (name: string, fallback: string) => {
    const value = given(name) ?? fallback
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '')
      return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
    wrong.push(`${name} must be an http or https URL such as https://builds.example.com, not "${value}".`)
    return fallback
  }
  const addresses = (name: string) => {
    const all = (given(name) ?? '').split(',').map((text) => text.trim())
    const named = all.filter((text) => text !== '')
    for (const text of named)
      if (!isAddressRange(text))
        wrong.push(`${name} must list addresses or ranges such as 10.0.0.0/8, not "${text}".`)
    return named
  }
  const nameServers = (name: string) => {
    const named = (given(name) ?? '').split(',').flatMap((text) => text.trim() || [])
    for (const text of named)
      if (!isNameServer(text))
        wrong.push(`${name} must list servers such as 9.9.9.9, 10.0.0.2:5353 or [fd00::2]:53, not "${text}".`)
    return named
  }
  const secretText = (name: string) => {
    const value = given(name)
    if (value !== undefined && value.length < 32) wrong.push(`${name} must have 32 characters or more.`)
    return value
  }
  const database = given('DATABASE_URL')
  if (database !== undefined && !/^postgres(ql)?:\/\//.test(database))
    wrong.push('DATABASE_URL must start with postgres:// or postgresql://.')
  const smtpUrl = given('QUAYSIDE_SMTP_URL')
  // never quoted: it may hold a password
  if (smtpUrl !== undefined && !(/^smtps?:\/\/./.test(smtpUrl) && URL.canParse(smtpUrl)))
    wrong.push('QUAYSIDE_SMTP_URL must be a URL such as smtp://user:password@mail.example.com:587.')
  const mailFrom = (publicUrl: string) => {
    const value = given('QUAYSIDE_MAIL_FROM') ?? `Quayside <no-reply@${new URL(publicUrl).hostname}>`
    if (!/^([^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value))
      wrong.push(`QUAYSIDE_MAIL_FROM must be like "Builds <builds@example.com>", not "${value}".`)
    return value
  }
  oneOf('QUAYSIDE_STORAGE', ['local'], 'local')

  const rateLimit = integer('QUAYSIDE_RATE_LIMIT', 600, 0, 1_000_000)
  const port = integer('QUAYSIDE_PORT', 4400, 0, 65_535)
  const publicUrl = origin('QUAYSIDE_PUBLIC_URL', `http://localhost:${port}`)
  const config: Config = {
    host: given('QUAYSIDE_HOST') ?? '127.0.0.1',
    port,
    publicUrl,
    dataDir: given('QUAYSIDE_DATA_DIR') ?? './data',
    databaseUrl: database,
    bootstrapKey: secretText('QUAYSIDE_BOOTSTRAP_KEY'),
    secret: secretText('QUAYSIDE_SECRET'),
    chunkThresholdMb: integer('QUAYSIDE_CHUNK_THRESHOLD_MB', 64, 5, 5120),
    partSizeMb: integer('QUAYSIDE_PART_SIZE_MB', 16, 5, 5120),
    uploadTtlHours: integer('QUAYSIDE_UPLOAD_TTL_HOURS', 24, 1, 24 * 365),
    trashDays: integer('QUAYSIDE_TRASH_DAYS', 7, 0, 3650),
    rateLimit,
    bootstrapRateLimit: integer('QUAYSIDE_BOOTSTRAP_RATE_LIMIT', rateLimit, 0, 1_000_000),
    downloadRateLimit: integer('QUAYSIDE_DOWNLOAD_RATE_LIMIT', 30, 0, 1_000_000),
    trustedProxies: addresses('QUAYSIDE_TRUSTED_PROXIES'),
    accelRedirectPrefix: given('QUAYSIDE_ACCEL_REDIRECT_PREFIX'),
    smtpUrl,
    mailFrom: mailFrom(publicUrl),
    issuerAllowPrivate: addresses('QUAYSIDE_ISSUER_ALLOW_PRIVATE'),
    dnsServers: nameServers('QUAYSIDE_DNS_SERVERS'),
    logLevel: oneOf('QUAYSIDE_LOG_LEVEL', logLevels, 'info'),
  }
  if (wrong.length > 0) throw new Problem('invalid', 'config.invalid', wrong.join('\n'))
  return Object.freeze(config)
}
