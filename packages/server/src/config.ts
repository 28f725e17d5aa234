import { isIP } from 'node:net'
import { readDatabase, type DatabaseSettings } from './config-database.ts'
import { readAdmin, readOidc, type AdminSettings, type OidcSettings } from './config-sign-in.ts'
import {
  readBackupStore,
  readStorage,
  type BackupStoreSettings,
  type StorageSettings,
} from './config-storage.ts'
import { readMetrics, readTraces, type MetricsSettings, type TraceSettings } from './config-telemetry.ts'
import { configWarnings } from './config-warnings.ts'
import { Problem } from './lib/problem.ts'
import { parseSize } from './lib/sizes.ts'

/** An amount of disk space: a size, or a percentage of the disk that contains the storage folder. */
export type DiskReserve = { bytes: number } | { percent: number }

/** The path of bundletool, and the keystore with the key that signs the APKs that it creates. */
export type Bundletool = {
  jar: string
  /** The folders in which `java` is searched for, in the format of `PATH`. */
  searchPath: string | undefined
  /** The keystore that signs the APKs, or undefined to leave them unsigned. */
  keystore: { path: string; password: string; alias: string } | undefined
}

export type Config = Readonly<
  DatabaseSettings & {
    host: string
    port: number
    /** The base of every URL in responses, without a trailing slash. */
    publicUrl: string
    dataDir: string
    /** Maximum time that startup waits for the database. */
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
    /** Where files are stored: in the data folder or in a bucket. */
    storage: StorageSettings
    /** Where files were stored before, while `admin migrate-storage` copies them. */
    previousStorage: StorageSettings | undefined
    /** The store of `admin backup s3://…`. */
    backupStore: BackupStoreSettings
    /** The disk space that uploads leave free; undefined means 5% within fixed bounds. */
    diskReserve: DiskReserve | undefined
    /** Maximum percentage of the stored files that one run may treat as orphans; 100 means no limit. */
    orphanLimitPercent: number
    /** Maximum requests per minute for each key; 0 means no limit. */
    rateLimit: number
    /** Maximum requests per minute for the bootstrap key; 0 means no limit. */
    bootstrapRateLimit: number
    /** Maximum requests per minute for each signed-in user; 0 means no limit. */
    sessionRateLimit: number
    /**
     * Maximum download links per minute for each application. The limit for each workspace is twice as high. 0 means no
     * limit.
     */
    downloadRateLimit: number
    /** Maximum requests per minute from one address to endpoints that do not require a key; 0 means no limit. */
    publicRateLimit: number
    /** Maximum requests per minute from one address with an invalid key; 0 means no limit. */
    failedKeyLimit: number
    /** Maximum number of open event streams. */
    eventStreamLimit: number
    /** Maximum number of open event streams for each key. */
    eventStreamsPerKey: number
    /** Addresses and ranges of proxies whose X-Forwarded-For header is trusted. */
    trustedProxies: readonly string[]
    /** The nginx `internal` location that serves the storage folder, with a trailing slash. */
    accelRedirectPrefix: string | undefined
    /** The name or ID of the group whose permissions nginx uses to read files. */
    storageGroup: string | undefined
    /** An smtp:// or smtps:// URL, with a user name and password if the server requires them. */
    smtpUrl: string | undefined
    mailFrom: string
    /** The first owner, created by a start that finds no owner. */
    admin: AdminSettings | undefined
    oidc: OidcSettings | undefined
    /** Non-public address ranges in which the service may connect to OIDC issuers. */
    issuerAllowPrivate: readonly string[]
    /** Non-public address ranges to which the service may send webhook requests. */
    webhookAllowPrivate: readonly string[]
    /** Non-public address ranges in which the custom stores of applications may be. */
    customStoreAllowPrivate: readonly string[]
    /** DNS servers to use instead of the system's DNS servers, each as `address` or `address:port`. */
    dnsServers: readonly string[]
    /** How to derive universal APKs from app bundles; undefined if QUAYSIDE_BUNDLETOOL is not set. */
    bundletool: Bundletool | undefined
    metrics: MetricsSettings
    /** Where spans are sent; undefined if they are not recorded. */
    traces: TraceSettings | undefined
    logLevel: string
    /** Warnings about settings that are valid but probably mistakes, such as a misspelled name. */
    warnings: readonly string[]
  }
>

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

/** The value of QUAYSIDE_SECRET_PREVIOUS if the previous secret is lost. */
export const lostSecret = 'lost'

const minSecretLength = 32
// Fewer than one in a million random strings of 32 hexadecimal digits have fewer than 8 different digits.
const minDifferentCharacters = 8

/** Returns the reason why a secret is too weak, worded as a predicate, or undefined if the secret is strong enough. */
export function weaknessOf(secret: string): string | undefined {
  if (secret === '') return 'is empty'
  if (secret.length < minSecretLength) return `must be at least ${minSecretLength} characters long`
  if (new Set(secret).size >= minDifferentCharacters) return undefined
  return `must contain at least ${minDifferentCharacters} different characters`
}

/** Reads the settings. Throws a Problem that lists every invalid setting with its valid values. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const known = new Set<string>()
  const setting = (name: string) => {
    known.add(name)
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
  const database = readDatabase({ setting, oneOf, problems })
  // The value is never quoted, because it may contain a password.
  const smtpUrl = setting('QUAYSIDE_SMTP_URL')
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
  const diskReserve = (name: string): DiskReserve | undefined => {
    const value = setting(name)
    if (value === undefined) return undefined
    const percent = Number(/^(\d{1,2}(?:\.\d{1,3})?) ?%$/.exec(value)?.[1])
    if (!Number.isNaN(percent)) return { percent }
    const bytes = parseSize(value)
    if (bytes !== undefined) return { bytes }
    problems.push(`${name} must be a size such as 20 GB or a percentage such as 5%, not "${value}".`)
    return undefined
  }
  const locationPrefix = (name: string) => {
    const value = setting(name)
    if (value === undefined) return undefined
    if (!/^(\/[\w.~-]+)+\/*$/.test(value) || /^\/(api|storage|docs|cli|livez|readyz)(\/|$)/.test(value))
      problems.push(
        `${name} must be a path such as /internal/ that is not used for anything else, not "${value}".`,
      )
    return `${value.replace(/\/+$/, '')}/`
  }
  const group = (name: string) => {
    const value = setting(name)
    if (value !== undefined && !/^(\d{1,9}|[a-z_][\w.-]*)$/i.test(value))
      problems.push(`${name} must be the name or the numeric ID of a group, not "${value}".`)
    return value
  }
  const bundletool = (): Bundletool | undefined => {
    const [path, password, alias] = bundletoolKey.map(setting)
    const jar = setting(bundletoolName)
    const searchPath = environment['PATH']
    if (path === undefined && password === undefined && alias === undefined)
      return jar === undefined ? undefined : { jar, searchPath, keystore: undefined }
    if (path !== undefined && password !== undefined && alias !== undefined)
      return jar === undefined ? undefined : { jar, searchPath, keystore: { path, password, alias } }
    problems.push(`${bundletoolKey.join(', ')} must be set together.`)
    return undefined
  }

  const { storage, previousStorage } = readStorage({ setting, oneOf, problems })
  const backupStore = readBackupStore({ setting, oneOf, problems })
  const rateLimit = integer('QUAYSIDE_RATE_LIMIT', 600, 0, 1_000_000)
  const port = integer('QUAYSIDE_PORT', 4400, 0, 65_535)
  const publicUrl = origin('QUAYSIDE_PUBLIC_URL', `http://localhost:${port}`)
  const host = setting('QUAYSIDE_HOST') ?? '127.0.0.1'
  const config: Omit<Config, 'warnings'> = {
    host,
    port,
    publicUrl,
    dataDir: setting('QUAYSIDE_DATA_DIR') ?? './data',
    ...database,
    databaseWaitSeconds: integer('QUAYSIDE_DATABASE_WAIT_SECONDS', 60, 0, 86_400),
    bootstrapKey: secretText('QUAYSIDE_BOOTSTRAP_KEY'),
    secret: secretText('QUAYSIDE_SECRET'),
    secretPrevious: secretText('QUAYSIDE_SECRET_PREVIOUS', lostSecret),
    chunkThresholdMb: integer('QUAYSIDE_CHUNK_THRESHOLD_MB', 64, 5, 5120),
    partSizeMb: integer('QUAYSIDE_PART_SIZE_MB', 16, 5, 5120),
    uploadTtlHours: integer('QUAYSIDE_UPLOAD_TTL_HOURS', 24, 1, 24 * 365),
    trashDays: integer('QUAYSIDE_TRASH_DAYS', 7, 0, 3650),
    storage,
    previousStorage,
    backupStore,
    diskReserve: diskReserve('QUAYSIDE_DISK_RESERVE'),
    orphanLimitPercent: integer('QUAYSIDE_ORPHAN_LIMIT_PERCENT', 1, 0, 100),
    rateLimit,
    bootstrapRateLimit: integer('QUAYSIDE_BOOTSTRAP_RATE_LIMIT', rateLimit, 0, 1_000_000),
    sessionRateLimit: integer('QUAYSIDE_SESSION_RATE_LIMIT', 1_200, 0, 1_000_000),
    downloadRateLimit: integer('QUAYSIDE_DOWNLOAD_RATE_LIMIT', 30, 0, 1_000_000),
    publicRateLimit: integer('QUAYSIDE_PUBLIC_RATE_LIMIT', 1_200, 0, 1_000_000),
    failedKeyLimit: integer('QUAYSIDE_FAILED_KEY_LIMIT', 600, 0, 1_000_000),
    eventStreamLimit: integer('QUAYSIDE_EVENT_STREAM_LIMIT', 1_000, 0, 1_000_000),
    eventStreamsPerKey: integer('QUAYSIDE_EVENT_STREAMS_PER_KEY', 100, 0, 1_000_000),
    trustedProxies: addresses('QUAYSIDE_TRUSTED_PROXIES'),
    accelRedirectPrefix: locationPrefix('QUAYSIDE_ACCEL_REDIRECT_PREFIX'),
    storageGroup: group('QUAYSIDE_STORAGE_GROUP'),
    smtpUrl,
    mailFrom: mailFrom(publicUrl),
    admin: readAdmin({ setting, problems }),
    oidc: readOidc({ setting, list, problems }),
    issuerAllowPrivate: addresses('QUAYSIDE_ISSUER_ALLOW_PRIVATE'),
    webhookAllowPrivate: addresses('QUAYSIDE_WEBHOOK_ALLOW_PRIVATE'),
    customStoreAllowPrivate: addresses('QUAYSIDE_CUSTOM_STORE_ALLOW_PRIVATE'),
    dnsServers: list(
      'QUAYSIDE_DNS_SERVERS',
      isNameServer,
      'servers such as 9.9.9.9, 10.0.0.2:5353 or [fd00::2]:53',
    ),
    bundletool: bundletool(),
    metrics: readMetrics({ setting, integer, secretText }),
    traces: readTraces({ setting, problems }),
    logLevel: oneOf('QUAYSIDE_LOG_LEVEL', logLevels, 'info'),
  }
  if (problems.length > 0) throw new Problem('invalid', 'config.invalid', problems.join('\n'))
  const isPublicUrlSet = setting('QUAYSIDE_PUBLIC_URL') !== undefined
  const warnings = configWarnings(config, { environment, known: [...known], isPublicUrlSet })
  return Object.freeze({ ...config, warnings })
}

const bundletoolName = 'QUAYSIDE_BUNDLETOOL'
const bundletoolKey = ['KEYSTORE', 'KEYSTORE_PASSWORD', 'KEY_ALIAS'].map(
  (name) => `${bundletoolName}_${name}`,
)
