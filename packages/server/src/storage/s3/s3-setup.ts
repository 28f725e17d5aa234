import { randomBytes, randomUUID } from 'node:crypto'
import { CreateBucketCommand, ListObjectsV2Command, S3ServiceException } from '@aws-sdk/client-s3'
import type { Logger } from 'pino'
import type { S3Settings } from '../../config/storage.ts'
import { StepFailure } from '../custom/store-report.ts'
import type { StagedFile } from '../driver.ts'
import { createS3Calls, type S3Calls } from './s3-client.ts'
import { allowOrigin } from './s3-cors.ts'
import { createS3Driver, type S3Driver } from './s3-driver.ts'
import { isS3Error } from './s3-errors.ts'
import { deleteObjects } from './s3-objects.ts'
import { requireAccepted } from './s3-responses.ts'

/** A step of the setup. `detail` says what was found or done, or why the step failed and what to do. */
export type SetupStep = { name: string; passed: boolean; detail: string }

type Options = {
  settings: S3Settings
  /** The origin of the console, which uploads from browsers. */
  origin: string
  log: Pick<Logger, 'warn'>
  onStep: (step: SetupStep) => void
}

const maxClockSkewSeconds = 5 * 60
const minPartBytes = 5 * 1024 * 1024

/**
 * Creates the bucket if it is missing, allows the console to use it, and tests every kind of request that the service
 * and its clients send. Returns whether all steps passed. Stops after a step that later ones depend on.
 */
export async function setUpBucket({ settings, origin, log, onStep }: Options): Promise<boolean> {
  const calls = createS3Calls(settings)
  const testSettings = { ...settings, prefix: `${settings.prefix}setup-${randomUUID()}/` }
  const driver = createS3Driver({ settings: testSettings, clock: { now: () => new Date() }, log })
  let passed = true
  const step = async (name: string, run: () => Promise<string>): Promise<boolean> => {
    try {
      onStep({ name, passed: true, detail: await run() })
      return true
    } catch (error) {
      onStep({ name, passed: false, detail: explain(error, settings) })
      passed = false
      return false
    }
  }
  try {
    if (!(await step('bucket', () => ensureBucket(calls, settings)))) return false
    await step('upload with one PUT', () => testWhole(driver))
    await step('upload in parts', () => testParts(driver))
    await step('lists and health check', () => testLists(driver))
    await step('CORS', () =>
      allowOrigin({
        calls,
        settings,
        origin,
        signUrl: async () => (await driver.signPut(stagedFile(1), { expiresInSeconds: 60 })).url,
        send: fetch,
      }),
    )
    return passed
  } finally {
    await deleteObjects(calls, testSettings.prefix).catch(() => undefined)
    await driver.close()
    calls.close()
  }
}

async function ensureBucket({ run, bucket }: S3Calls, { region, endpoint }: S3Settings): Promise<string> {
  try {
    // Unlike a response to HEAD, an error response to this call names the reason.
    await run((client, options) =>
      client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }), options),
    )
    return 'exists'
  } catch (error) {
    if (!isS3Error(error, 'NoSuchBucket')) throw error
  }
  // AWS rejects its default region as a location, and other stores do not know the regions of AWS.
  const needsLocation = endpoint === undefined && region !== 'us-east-1'
  const location = { CreateBucketConfiguration: { LocationConstraint: region as 'eu-west-1' } }
  const input = { Bucket: bucket, ...(needsLocation && location) }
  await run((client, options) => client.send(new CreateBucketCommand(input), options))
  return 'created'
}

const stagedFile = (sizeBytes: number): StagedFile => ({
  key: randomUUID(),
  sizeBytes,
  filename: 'setup check.bin',
  contentType: 'application/octet-stream',
})

async function testWhole(driver: S3Driver): Promise<string> {
  const bytes = randomBytes(1000)
  const file = stagedFile(bytes.length)
  const { url, headers } = await driver.signPut(file, { expiresInSeconds: 60 })
  const response = await requireOk('PUT', await fetch(url, { method: 'PUT', headers, body: bytes }))
  requireClock(response)
  const object = await driver.seal(file.key, '', await driver.listStaged(file.key, ''))
  await driver.prune(object)
  const range = { range: 'bytes=10-19' }
  const download = { filename: file.filename, contentType: file.contentType, expiresInSeconds: 60 }
  const got = await requireOk('GET', await fetch(await driver.signGet(object, download), { headers: range }))
  if (!Buffer.from(await got.arrayBuffer()).equals(bytes.subarray(10, 20)))
    throw new Error('The store returned other bytes than were uploaded.')
  if (got.headers.get('content-disposition')?.startsWith('attachment') !== true)
    throw new Error(
      'The store ignores response-content-disposition, so browsers would open files instead of saving them.',
    )
  await driver.checksums(object)
  await driver.remove(object)
  return 'signed PUT, copy, checksum, signed download of a range, deletion'
}

async function testParts(driver: S3Driver): Promise<string> {
  const parts = [randomBytes(minPartBytes), randomBytes(1000)]
  const file = stagedFile(minPartBytes + 1000)
  const multipartId = await driver.openMultipart(file)
  for (const [index, body] of parts.entries()) {
    const part = { multipartId, partNumber: index + 1, sizeBytes: body.length, expiresInSeconds: 60 }
    const sent = await fetch(await driver.signPart(file, part), { method: 'PUT', body })
    await requireOk('PUT', sent)
  }
  const object = await driver.seal(file.key, multipartId, await driver.listStaged(file.key, multipartId))
  await driver.checksums(object)
  await driver.remove(object)
  const aborted = stagedFile(1)
  await driver.discard(aborted.key, await driver.openMultipart(aborted))
  return 'signed PUTs of parts, completion, checksum, abort'
}

async function testLists(driver: S3Driver): Promise<string> {
  for await (const found of driver.listKeys({ unchangedSince: new Date() }))
    if (found.state === 'sealed') throw new Error('A deleted object is still listed.')
  await driver.check()
  return 'the service can list and write objects'
}

const requireOk = (method: string, response: Response): Promise<Response> =>
  requireAccepted(method, response, {
    ownerAcl: 'Set QUAYSIDE_S3_ACL=bucket-owner-full-control.',
    noAcl: 'If the store supports no ACLs, set QUAYSIDE_S3_ACL=none.',
    other:
      'Allow s3:PutObject and s3:GetObject for these keys, and check the endpoint, the region and the path style.',
  })

function requireClock(response: Response): void {
  const date = Date.parse(response.headers.get('date') ?? '')
  const skewSeconds = Math.abs(Date.now() - date) / 1000
  if (skewSeconds > maxClockSkewSeconds)
    throw new Error(
      `The clocks of this computer and the store differ by ${Math.round(skewSeconds)} s. Correct them.`,
    )
}

/** Returns why a step failed. The message of a Problem is for clients, so its cause is used. */
function explain(error: unknown, { bucket }: S3Settings): string {
  if (error instanceof StepFailure) return `${error.message} ${error.advice}`
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof S3ServiceException)) return error instanceof Error ? describe(error) : String(error)
  const status = cause.$metadata.httpStatusCode
  if (cause.name === 'InvalidAccessKeyId')
    return 'The access key does not exist. Check QUAYSIDE_S3_ACCESS_KEY_ID.'
  if (cause.name === 'SignatureDoesNotMatch')
    return 'The secret key is wrong. Check QUAYSIDE_S3_SECRET_ACCESS_KEY.'
  if (status === 403)
    return `Access to the bucket ${bucket} is denied (${cause.name}). Check the keys and their permissions: GetObject, PutObject, DeleteObject, ListBucket, ListBucketMultipartUploads, ListMultipartUploadParts, AbortMultipartUpload, PutBucketCORS.`
  return `${cause.name}: ${cause.message}`
}

function describe({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message
}
