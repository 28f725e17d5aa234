import { isIP } from 'node:net'
import { problem } from '../lib/problem.ts'
import { readBundletool, type Bundletool } from './bundletool.ts'
import { readSecurityContacts } from './contacts.ts'
import { readDatabase, type DatabaseSettings } from './database.ts'
import { readFiles, type FileSettings } from './files.ts'
import { readMail, type MailSettings } from './mail.ts'
import { readPortalDomain } from './portal-domain.ts'
import { createSettingReader, lostSecret, type Environment } from './setting-reader.ts'
import { readAdmin, readOidc, type AdminSettings, type OidcSettings } from './sign-in.ts'
import { readBackupStore, readStorage, type BackupStoreSettings, type StorageSettings } from './storage.ts'
import { readMetrics, readTraces, type MetricsSettings, type TraceSettings } from './telemetry.ts'
import { readUpdateHosts, type UpdateHosts } from './update-hosts.ts'
import { configWarnings } from './warnings.ts'

export type Config = Readonly<
  DatabaseSettings &
    FileSettings &
    MailSettings & {
      host: string
      port: number
      /** The base of every URL in responses, without a trailing slash. */
      publicUrl: string
      /** The domain at whose subdomains portals are served, if any. */
      portalDomain: string | undefined
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
      /** The first owner, created by a start that finds no owner. */
      admin: AdminSettings | undefined
      oidc: OidcSettings | undefined
      /** Non-public address ranges in which the service may connect to OIDC issuers. */
      issuerAllowPrivate: readonly string[]
      /** Non-public address ranges to which the service may send webhook requests. */
      webhookAllowPrivate: readonly string[]
      /** Hosts of chat servers, with any port or one, to whose webhooks personal notifications may be sent. */
      chatHosts: readonly string[]
      /** Non-public address ranges in which the custom stores of applications may be. */
      customStoreAllowPrivate: readonly string[]
      /** DNS servers to use instead of the system's DNS servers, each as `address` or `address:port`. */
      dnsServers: readonly string[]
      /** How to derive universal APKs from app bundles; undefined if QUAYSIDE_BUNDLETOOL is not set. */
      bundletool: Bundletool | undefined
      metrics: MetricsSettings
      /** Where spans are sent; undefined if they are not recorded. */
      traces: TraceSettings | undefined
      /** URIs at which security problems can be reported; if empty, there is no security.txt. */
      securityContacts: readonly string[]
      /** The channels that replace other update servers, by the host names of these. */
      updateHosts: UpdateHosts
      logLevel: string
      /** Warnings about settings that are valid but probably mistakes, such as a misspelled name. */
      warnings: readonly string[]
    }
>

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

function isNameServer(text: string): boolean {
  const [, v6, v4 = '', port] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  return isIP(v6 ?? v4) !== 0 ? Number(port ?? 53) <= 65_535 : isIP(text) === 6
}

/** Reads the settings. Throws a Problem that lists every invalid setting with its valid values. */
export function readConfig(environment: Environment): Config {
  const reader = createSettingReader(environment)
  const { problems, known, setting, integer, oneOf, origin, list, addresses, secretText } = reader
  const { storage, previousStorage } = readStorage(reader)
  const backupStore = readBackupStore(reader)
  const rateLimit = integer('QUAYSIDE_RATE_LIMIT', 600, 0, 1_000_000)
  const port = integer('QUAYSIDE_PORT', 4400, 0, 65_535)
  const publicUrl = origin('QUAYSIDE_PUBLIC_URL', `http://localhost:${port}`)
  const host = setting('QUAYSIDE_HOST') ?? '127.0.0.1'
  const config: Omit<Config, 'warnings'> = {
    host,
    port,
    publicUrl,
    portalDomain: readPortalDomain(reader, publicUrl),
    dataDir: setting('QUAYSIDE_DATA_DIR') ?? './data',
    ...readDatabase(reader),
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
    ...readFiles(reader),
    rateLimit,
    bootstrapRateLimit: integer('QUAYSIDE_BOOTSTRAP_RATE_LIMIT', rateLimit, 0, 1_000_000),
    sessionRateLimit: integer('QUAYSIDE_SESSION_RATE_LIMIT', 1_200, 0, 1_000_000),
    downloadRateLimit: integer('QUAYSIDE_DOWNLOAD_RATE_LIMIT', 30, 0, 1_000_000),
    publicRateLimit: integer('QUAYSIDE_PUBLIC_RATE_LIMIT', 1_200, 0, 1_000_000),
    failedKeyLimit: integer('QUAYSIDE_FAILED_KEY_LIMIT', 600, 0, 1_000_000),
    eventStreamLimit: integer('QUAYSIDE_EVENT_STREAM_LIMIT', 1_000, 0, 1_000_000),
    eventStreamsPerKey: integer('QUAYSIDE_EVENT_STREAMS_PER_KEY', 100, 0, 1_000_000),
    trustedProxies: addresses('QUAYSIDE_TRUSTED_PROXIES'),
    ...readMail(reader, publicUrl),
    admin: readAdmin(reader),
    oidc: readOidc(reader),
    issuerAllowPrivate: addresses('QUAYSIDE_ISSUER_ALLOW_PRIVATE'),
    webhookAllowPrivate: addresses('QUAYSIDE_WEBHOOK_ALLOW_PRIVATE'),
    chatHosts: list('QUAYSIDE_CHAT_HOSTS', isHost, 'hosts such as chat.example.com or chat.example.com:8065'),
    customStoreAllowPrivate: addresses('QUAYSIDE_CUSTOM_STORE_ALLOW_PRIVATE'),
    dnsServers: list(
      'QUAYSIDE_DNS_SERVERS',
      isNameServer,
      'servers such as 9.9.9.9, 10.0.0.2:5353 or [fd00::2]:53',
    ),
    bundletool: readBundletool(reader, environment),
    securityContacts: readSecurityContacts(reader),
    updateHosts: readUpdateHosts(reader),
    metrics: readMetrics(reader),
    traces: readTraces(reader),
    logLevel: oneOf('QUAYSIDE_LOG_LEVEL', logLevels, 'info'),
  }
  if (problems.length > 0) throw invalidSettings({ problems: problems.join('\n') })
  const isPublicUrlSet = setting('QUAYSIDE_PUBLIC_URL') !== undefined
  const warnings = configWarnings(config, { environment, known: [...known], isPublicUrlSet })
  return Object.freeze({ ...config, warnings })
}

/** Whether the text is a host, with or without a port. */
const isHost = (text: string): boolean => URL.parse(`http://${text}`)?.host === text

const invalidSettings = problem('invalid', 'config.invalid', '{problems}')
