import type { SettingReader } from './setting-reader.ts'

/** The bucket in which files are stored. */
export type S3Settings = {
  bucket: string
  region: string
  /** The URL of the S3 API; undefined for AWS. */
  endpoint: string | undefined
  /** The URL of the S3 API that clients use, if it differs from `endpoint`. */
  publicEndpoint: string | undefined
  /** If undefined, the credential chain of AWS is used. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  /** Whether URLs contain the bucket in the path instead of the host name. */
  forcePathStyle: boolean
  /** The beginning of every object key: empty, or a path with a trailing slash. */
  prefix: string
  /** The canned ACL for uploads; undefined to send none. */
  acl: 'private' | 'bucket-owner-full-control' | undefined
}

export type StorageSettings = { kind: 'local' } | ({ kind: 's3' } & S3Settings)

/** The store of buckets for backups. The bucket and the prefix are arguments of the commands. */
export type BackupStoreSettings = Pick<S3Settings, 'region' | 'endpoint' | 'credentials' | 'forcePathStyle'>

type Reader = Pick<SettingReader, 'setting' | 'oneOf' | 'problems'>

const kinds = ['local', 's3']
const current = 'QUAYSIDE_S3_'
const previous = 'QUAYSIDE_S3_PREVIOUS_'

/**
 * Returns where files are stored, and where they were stored before, if they are being migrated. Secrets are never quoted
 * in a problem.
 */
export function readStorage(reader: Reader): {
  storage: StorageSettings
  previousStorage: StorageSettings | undefined
} {
  const { setting, oneOf, problems } = reader
  const kind = oneOf('QUAYSIDE_STORAGE', kinds, 'local')
  const isMigrating = setting('QUAYSIDE_STORAGE_PREVIOUS') !== undefined
  const previousKind = isMigrating ? oneOf('QUAYSIDE_STORAGE_PREVIOUS', kinds, kind) : kind
  const betweenBuckets = isMigrating && kind === 's3' && previousKind === 's3'
  const s3 = readS3(reader, current, { isUsed: kind === 's3' || previousKind === 's3' })
  const previousS3 = readS3(reader, previous, { isUsed: betweenBuckets, defaults: s3 })
  if (isMigrating && previousKind === kind && kind === 'local')
    problems.push('QUAYSIDE_STORAGE_PREVIOUS must differ from QUAYSIDE_STORAGE.')
  if (betweenBuckets && isSamePlace(s3, previousS3))
    problems.push(
      `${previous}BUCKET, ${previous}PREFIX or ${previous}ENDPOINT must differ from the settings of the current bucket.`,
    )
  const settingsOf = (selected: string, settings: S3Settings): StorageSettings =>
    selected === 's3' ? { kind: 's3', ...settings } : { kind: 'local' }
  return {
    storage: settingsOf(kind, s3),
    previousStorage: isMigrating ? settingsOf(previousKind, betweenBuckets ? previousS3 : s3) : undefined,
  }
}

export const readBackupStore = (reader: Reader): BackupStoreSettings =>
  readStore(reader, 'QUAYSIDE_BACKUP_S3_', { isUsed: false })

const isSamePlace = (one: S3Settings, other: S3Settings): boolean =>
  one.endpoint === other.endpoint && one.bucket === other.bucket && one.prefix === other.prefix

type Use = {
  isUsed: boolean
  /** Apply to everything except the prefix. */
  defaults?: S3Settings
}

function readS3(reader: Reader, names: string, use: Use): S3Settings {
  const { setting, oneOf, problems } = reader
  const { isUsed, defaults } = use
  const store = readStore(reader, names, use)
  const bucket = setting(`${names}BUCKET`) ?? defaults?.bucket
  const prefix = normalizePrefix(setting(`${names}PREFIX`))
  // AWS disables ACLs in new buckets and then accepts no other ACL than this one.
  const defaultAcl = store.endpoint === undefined ? 'bucket-owner-full-control' : 'private'
  const inheritedAcl = defaults === undefined ? defaultAcl : (defaults.acl ?? 'none')
  const acl = oneOf(`${names}ACL`, ['private', 'bucket-owner-full-control', 'none'], inheritedAcl)
  const publicEndpoint = readUrl(reader, `${names}PUBLIC_ENDPOINT`)
  if (isUsed && !bucket) problems.push(`${names}BUCKET is required to store files in S3.`)
  if (bucket && !isBucketName(bucket))
    problems.push(`${names}BUCKET must be the name of a bucket, not "${bucket}".`)
  if (!isPrefix(prefix))
    problems.push(`${names}PREFIX must be a path such as quayside/files, not "${prefix.slice(0, -1)}".`)
  return {
    ...store,
    bucket: bucket ?? '',
    publicEndpoint:
      publicEndpoint ?? (store.endpoint === defaults?.endpoint ? defaults?.publicEndpoint : undefined),
    prefix,
    acl: acl === 'none' ? undefined : (acl as 'private' | 'bucket-owner-full-control'),
  }
}

function readStore(reader: Reader, names: string, { isUsed, defaults }: Use): BackupStoreSettings {
  const { setting, oneOf, problems } = reader
  const endpoint = readUrl(reader, `${names}ENDPOINT`) ?? defaults?.endpoint
  const region =
    setting(`${names}REGION`) ?? defaults?.region ?? setting('AWS_REGION') ?? setting('AWS_DEFAULT_REGION')
  const accessKeyId = setting(`${names}ACCESS_KEY_ID`)
  const secretAccessKey = setting(`${names}SECRET_ACCESS_KEY`)
  const hasPathStyle = defaults?.forcePathStyle ?? endpoint !== undefined
  const forcePathStyle = oneOf(`${names}FORCE_PATH_STYLE`, ['true', 'false'], String(hasPathStyle))
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    problems.push(`${names}ACCESS_KEY_ID and ${names}SECRET_ACCESS_KEY must be set together.`)
  if (isUsed && region === undefined && endpoint === undefined)
    problems.push(`${names}REGION is required unless ${names}ENDPOINT is set.`)
  return {
    region: region ?? 'us-east-1',
    endpoint,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? defaults?.credentials
        : { accessKeyId, secretAccessKey },
    forcePathStyle: forcePathStyle === 'true',
  }
}

function readUrl({ setting, problems }: Reader, name: string): string | undefined {
  const value = setting(name)
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '')
    return url.origin
  problems.push(`${name} must be a URL without a path, such as https://s3.example.com, not "${value}".`)
  return undefined
}

export const isBucketName = (text: string): boolean => /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(text)

/** Returns the beginning of object keys for a path: empty, or with a trailing slash. */
export function normalizePrefix(path = ''): string {
  const trimmed = path.replaceAll(/^\/+|\/+$/g, '')
  return trimmed === '' ? '' : `${trimmed}/`
}

export const isPrefix = (prefix: string): boolean => prefix === '' || /^[\w.~-]+(\/[\w.~-]+)*\/$/.test(prefix)
