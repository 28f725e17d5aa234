import { randomUUID } from 'node:crypto'

/** Whether the services of this run store their files in S3. */
export const storesInS3 = process.env['QUAYSIDE_TEST_STORAGE'] === 's3'

/** Options of a test that uses what only a storage folder has; decision 0037 lists the differences. */
export const folderOnly = { skip: storesInS3 && 'requires a storage folder; see decision 0037' }

/** The possible statuses of a PUT after the upload was verified or aborted. */
export const latePutStatuses = storesInS3 ? [200, 404] : [409]

export type S3Server = { endpoint: string; accessKeyId: string; secretAccessKey: string }

/** The bucket that the tests share. Each test or service uses a prefix of its own. */
export const testBucket = 'quayside-test'

/**
 * Returns the settings with which a service stores its files where this run does: in the data folder or, after
 * `npm test -- --storage=s3`, in a new prefix of the test bucket.
 */
export function testStorageSettings(): Record<string, string> {
  const server = process.env['QUAYSIDE_TEST_S3']
  if (!storesInS3 || server === undefined) return {}
  return s3Environment(JSON.parse(server) as S3Server)
}

/** Returns the settings of a service that stores its files in a new prefix of the test bucket. */
export const s3Environment = (
  { endpoint, accessKeyId, secretAccessKey }: S3Server,
  prefix: string = randomUUID(),
): Record<string, string> => ({
  QUAYSIDE_STORAGE: 's3',
  QUAYSIDE_S3_BUCKET: testBucket,
  QUAYSIDE_S3_ENDPOINT: endpoint,
  QUAYSIDE_S3_ACCESS_KEY_ID: accessKeyId,
  QUAYSIDE_S3_SECRET_ACCESS_KEY: secretAccessKey,
  QUAYSIDE_S3_PREFIX: prefix,
})

/** Returns when a signed URL expires, in seconds since 1970. */
export function expirySeconds(url: string): number {
  const parameters = new URL(url).searchParams
  const expires = parameters.get('expires')
  if (expires !== null) return Number(expires)
  const [, date = '', time = ''] = /^(\d{8})T(\d{6})Z$/.exec(parameters.get('X-Amz-Date') ?? '') ?? []
  const day = date.replace(/(....)(..)(..)/, '$1-$2-$3')
  const signedAt = Date.parse(`${day}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`)
  return signedAt / 1000 + Number(parameters.get('X-Amz-Expires'))
}

/** Returns the beginning of the signed URLs for uploads to a service. */
export function storageUrl(serviceUrl: string): string {
  const server = process.env['QUAYSIDE_TEST_S3']
  if (!storesInS3 || server === undefined) return `${serviceUrl}/storage/`
  return `${(JSON.parse(server) as S3Server).endpoint}/${testBucket}/`
}
