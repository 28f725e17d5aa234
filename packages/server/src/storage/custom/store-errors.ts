import { S3ServiceException } from '@aws-sdk/client-s3'
import type { S3Settings } from '../../config/storage.ts'
import { Problem } from '../../lib/problem.ts'
import { ForbiddenAddress } from '../../net/outgoing.ts'
import { StepFailure, type StoreStepName } from './store-report.ts'

const permissions =
  's3:GetObject, s3:PutObject, s3:DeleteObject, s3:ListBucket, s3:ListBucketMultipartUploads, s3:ListMultipartUploadParts and s3:AbortMultipartUpload'

/** Returns what happened in a step of a test and what to do. Never quotes what the store sent, except for its error code. */
export function explainStoreError(
  error: unknown,
  name: StoreStepName,
  { bucket, region, endpoint }: Pick<S3Settings, 'bucket' | 'region' | 'endpoint'>,
): StepFailure {
  const causes = [...causesOf(error)]
  const host = endpoint ?? 'The endpoint of AWS'
  if (causes.some((cause) => cause instanceof ForbiddenAddress))
    return new StepFailure(
      `${host} has no public address.`,
      'Use a public endpoint. The operator can allow private addresses with QUAYSIDE_CUSTOM_STORE_ALLOW_PRIVATE.',
    )
  const rejected = causes.find((cause) => cause instanceof S3ServiceException)
  if (rejected instanceof S3ServiceException) return explainRejection(rejected, { bucket, region })
  const code = causes.map(codeOf).find((found) => found !== undefined)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StepFailure(`The host name of ${host} does not exist.`, 'Correct the endpoint or the region.')
  if (code === 'ECONNREFUSED')
    return new StepFailure(
      `${host} refuses connections.`,
      'Check the port of the endpoint and that the store is running.',
    )
  if (code !== undefined && /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code))
    return new StepFailure(
      `The TLS connection to ${host} failed (${code}).`,
      'Use a certificate that clients trust, and the host name that it was issued for.',
    )
  const known = code === undefined ? '' : ` (${code})`
  if (name === 'reach' || error instanceof Problem || code !== undefined)
    return new StepFailure(
      `${host} did not respond in time or closed the connection${known}.`,
      'Check the endpoint and the firewall, and try again.',
    )
  return new StepFailure(
    'The store sent a response that is not valid in S3.',
    'Check that the endpoint is the S3 API.',
  )
}

function explainRejection(
  { name, $metadata: { httpStatusCode: status = 0 } }: S3ServiceException,
  { bucket, region }: { bucket: string; region: string },
): StepFailure {
  const code = /^[A-Za-z]{1,60}$/.test(name) ? name : 'unknown error'
  if (code === 'InvalidAccessKeyId')
    return new StepFailure('The access key does not exist in this store.', 'Correct the access key.')
  if (code === 'SignatureDoesNotMatch')
    return new StepFailure(
      'The secret key does not belong to the access key.',
      'Correct the secret key. If it is correct, check the region.',
    )
  if (code === 'NoSuchBucket')
    return new StepFailure(
      `The bucket ${bucket} does not exist.`,
      'Create the bucket, or correct its name, the endpoint or the path style.',
    )
  if (code === 'RequestTimeTooSkewed')
    return new StepFailure('The clocks of this service and the store differ.', 'Synchronize both clocks.')
  if (
    status === 301 ||
    code === 'AuthorizationHeaderMalformed' ||
    code === 'IllegalLocationConstraintException'
  )
    return new StepFailure(
      `The bucket ${bucket} is not in the region ${region}.`,
      'Correct the region, and the endpoint if it contains the region.',
    )
  if (status === 403)
    return new StepFailure(
      `Access to the bucket ${bucket} is denied (${code}).`,
      `Allow ${permissions} for these keys.`,
    )
  return new StepFailure(
    `The store rejected the request (${code}, status ${status}).`,
    `Allow ${permissions}.`,
  )
}

function* causesOf(error: unknown): Generator {
  for (let cause = error, depth = 0; cause !== undefined && cause !== null && depth < 8; depth++) {
    yield cause
    if (cause instanceof AggregateError) yield* cause.errors as unknown[]
    cause = cause instanceof Error ? cause.cause : undefined
  }
}

const codeOf = (cause: unknown): string | undefined => {
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' && /^[A-Z_0-9]{3,60}$/.test(code) ? code : undefined
}
