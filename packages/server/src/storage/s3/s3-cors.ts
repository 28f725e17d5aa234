import { GetBucketCorsCommand, PutBucketCorsCommand, type CORSRule } from '@aws-sdk/client-s3'
import type { S3Settings } from '../../config/storage.ts'
import { StepFailure } from '../custom/store-report.ts'
import type { S3Calls } from './s3-client.ts'
import { isS3Error } from './s3-errors.ts'

type Options = {
  calls: S3Calls
  settings: Pick<S3Settings, 'prefix'>
  /** The origin of the console. */
  origin: string
  /** Returns the URL of an upload. */
  signUrl: () => Promise<string>
  send: (url: string, request: { method: string; headers: Record<string, string> }) => Promise<Response>
}

/**
 * Allows browsers at the origin to upload, unless they already may, and keeps the other rules of the bucket. Returns what
 * is allowed. Throws `StepFailure` if it is still not.
 */
export async function allowOrigin({ calls, settings, origin, signUrl, send }: Options): Promise<string> {
  const isAllowed = async (): Promise<boolean> => {
    const preflight = await send(await signUrl(), {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'content-type,content-disposition,x-amz-acl',
      },
    })
    await preflight.body?.cancel()
    const allowed = preflight.headers.get('access-control-allow-origin')
    return allowed === origin || allowed === '*'
  }
  const done = `Browsers at ${origin} may upload and download.`
  if (await isAllowed()) return done
  let refusal: unknown
  try {
    await addRule(calls, settings.prefix, origin)
  } catch (error) {
    // Some stores, such as MinIO, have one setting for all buckets.
    refusal = error
  }
  if (await isAllowed()) return `Changed the CORS settings of the bucket. ${done}`
  const reason = refusal instanceof Error ? ' The keys may not change the CORS settings of the bucket.' : ''
  throw new StepFailure(
    `Browsers at ${origin} cannot upload.${reason}`,
    `Allow s3:PutBucketCORS for these keys, or add a CORS rule that allows PUT, GET and HEAD from ${origin} with all headers and exposes ETag.`,
  )
}

async function addRule({ run, bucket }: S3Calls, prefix: string, origin: string): Promise<void> {
  const id = `quayside-${prefix.replaceAll('/', '-')}`
  const rule: CORSRule = {
    ID: id,
    AllowedOrigins: [origin],
    AllowedMethods: ['GET', 'HEAD', 'PUT'],
    AllowedHeaders: ['*'],
    ExposeHeaders: ['ETag', 'Retry-After'],
    MaxAgeSeconds: 3600,
  }
  const existing = await run((client, options) =>
    client.send(new GetBucketCorsCommand({ Bucket: bucket }), options),
  ).catch((error: unknown) => {
    if (isS3Error(error, 'NoSuchCORSConfiguration')) return { CORSRules: [] }
    throw error
  })
  const others = (existing.CORSRules ?? []).filter(({ ID }) => ID !== id)
  const input = { Bucket: bucket, CORSConfiguration: { CORSRules: [...others, rule] } }
  await run((client, options) => client.send(new PutBucketCorsCommand(input), options))
}
