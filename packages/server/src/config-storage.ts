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
  /** The canned ACL of uploads; undefined to send none. */
  acl: 'private' | 'bucket-owner-full-control' | undefined
}

export type StorageSettings = { kind: 'local' } | ({ kind: 's3' } & S3Settings)

type Reader = {
  setting: (name: string) => string | undefined
  oneOf: (name: string, allowed: readonly string[], fallback: string) => string
  /** Receives a sentence for each invalid setting. */
  problems: string[]
}

const kinds = ['local', 's3']
const name = (suffix: string): string => `QUAYSIDE_S3_${suffix}`

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
  if (isMigrating && previousKind === kind)
    problems.push('QUAYSIDE_STORAGE_PREVIOUS must differ from QUAYSIDE_STORAGE.')
  const s3 = readS3(reader, kind === 's3' || previousKind === 's3')
  const settingsOf = (selected: string): StorageSettings =>
    selected === 's3' ? { kind: 's3', ...s3 } : { kind: 'local' }
  return { storage: settingsOf(kind), previousStorage: isMigrating ? settingsOf(previousKind) : undefined }
}

function readS3({ setting, oneOf, problems }: Reader, isUsed: boolean): S3Settings {
  const bucket = setting(name('BUCKET'))
  const region = setting(name('REGION')) ?? setting('AWS_REGION') ?? setting('AWS_DEFAULT_REGION')
  const [endpoint, publicEndpoint] = ['ENDPOINT', 'PUBLIC_ENDPOINT'].map((suffix) => {
    const value = setting(name(suffix))
    if (value === undefined) return undefined
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '')
      return url.origin
    problems.push(
      `${name(suffix)} must be a URL without a path, such as https://s3.example.com, not "${value}".`,
    )
    return undefined
  })
  const accessKeyId = setting(name('ACCESS_KEY_ID'))
  const secretAccessKey = setting(name('SECRET_ACCESS_KEY'))
  const forcePathStyle = oneOf(name('FORCE_PATH_STYLE'), ['true', 'false'], String(endpoint !== undefined))
  const prefix = setting(name('PREFIX'))?.replaceAll(/^\/+|\/+$/g, '') ?? ''
  // AWS disables ACLs in new buckets and then accepts no other ACL than this one.
  const defaultAcl = endpoint === undefined ? 'bucket-owner-full-control' : 'private'
  const acl = oneOf(name('ACL'), ['private', 'bucket-owner-full-control', 'none'], defaultAcl)
  if (isUsed && bucket === undefined) problems.push(`${name('BUCKET')} is required to store files in S3.`)
  if (bucket !== undefined && !/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(bucket))
    problems.push(`${name('BUCKET')} must be the name of a bucket, not "${bucket}".`)
  if (prefix !== '' && !/^[\w.~-]+(\/[\w.~-]+)*$/.test(prefix))
    problems.push(`${name('PREFIX')} must be a path such as quayside/files, not "${prefix}".`)
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    problems.push(`${name('ACCESS_KEY_ID')} and ${name('SECRET_ACCESS_KEY')} must be set together.`)
  if (isUsed && region === undefined && endpoint === undefined)
    problems.push(`${name('REGION')} is required unless ${name('ENDPOINT')} is set.`)
  return {
    bucket: bucket ?? '',
    region: region ?? 'us-east-1',
    endpoint,
    publicEndpoint,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey },
    forcePathStyle: forcePathStyle === 'true',
    prefix: prefix === '' ? '' : `${prefix}/`,
    acl: acl === 'none' ? undefined : (acl as 'private' | 'bucket-owner-full-control'),
  }
}
