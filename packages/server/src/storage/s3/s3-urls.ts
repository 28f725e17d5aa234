import { GetObjectCommand, PutObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { S3Settings } from '../../config/storage.ts'
import { maxPutUrlSeconds, type Download, type SignedRequest, type StagedFile } from '../driver.ts'
import { attachmentDisposition, safeContentType } from '../transfer/content-disposition.ts'

/** S3 rejects signed URLs with a longer lifetime. */
const maxUrlSeconds = 7 * 24 * 60 * 60

type Urls = {
  /** Signs a PUT of the whole file to an object. */
  signPut(name: string, file: StagedFile, expiresInSeconds: number): Promise<SignedRequest>
  signPart(
    name: string,
    part: { multipartId: string; partNumber: number; sizeBytes: number; expiresInSeconds: number },
  ): Promise<string>
  signGet(name: string, download: Download): Promise<string>
}

/** Returns the origin of the signed URLs of a bucket. */
export async function clientOrigin({
  bucket,
  region,
  endpoint,
  forcePathStyle,
}: Pick<S3Settings, 'bucket' | 'region' | 'endpoint' | 'forcePathStyle'>): Promise<string> {
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' }
  const client = new S3Client({
    region,
    forcePathStyle,
    credentials,
    ...(endpoint !== undefined && { endpoint }),
  })
  const url = await getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: 'x' }))
  client.destroy()
  return new URL(url).origin
}

/** Signs URLs without a call to S3. */
export function createS3Urls(client: S3Client, { bucket, acl }: Pick<S3Settings, 'bucket' | 'acl'>): Urls {
  const requireShort = (expiresInSeconds: number): number => {
    if (expiresInSeconds > maxPutUrlSeconds)
      throw new RangeError(`a PUT URL can be valid for at most ${maxPutUrlSeconds} s`)
    return expiresInSeconds
  }
  return {
    async signPut(name, { sizeBytes, filename, contentType }, expiresInSeconds) {
      const type = safeContentType(contentType)
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: name,
        ContentType: type,
        ContentLength: sizeBytes,
        ...(acl !== undefined && { ACL: acl }),
      })
      const url = await getSignedUrl(client, command, {
        expiresIn: requireShort(expiresInSeconds),
        signableHeaders: new Set(['content-type', 'content-length', 'x-amz-acl']),
        unhoistableHeaders: new Set(['x-amz-acl']),
      })
      return {
        url,
        headers: {
          'Content-Type': type,
          'Content-Length': String(sizeBytes),
          'Content-Disposition': attachmentDisposition(filename),
          ...(acl !== undefined && { 'x-amz-acl': acl }),
        },
      }
    },

    signPart(name, { multipartId, partNumber, sizeBytes, expiresInSeconds }) {
      const command = new UploadPartCommand({
        Bucket: bucket,
        Key: name,
        UploadId: multipartId,
        PartNumber: partNumber,
        ContentLength: sizeBytes,
      })
      return getSignedUrl(client, command, {
        expiresIn: requireShort(expiresInSeconds),
        signableHeaders: new Set(['content-length']),
      })
    },

    signGet(name, { filename, contentType, expiresInSeconds }) {
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: name,
        ResponseContentDisposition: attachmentDisposition(filename),
        ResponseContentType: safeContentType(contentType),
        ResponseCacheControl: 'private, no-transform',
      })
      return getSignedUrl(client, command, { expiresIn: Math.min(expiresInSeconds, maxUrlSeconds) })
    },
  }
}
