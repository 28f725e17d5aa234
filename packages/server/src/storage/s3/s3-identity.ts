import { GetObjectCommand } from '@aws-sdk/client-s3'
import type { S3Settings } from '../../config/storage.ts'
import type { StorageIdentity } from '../driver.ts'
import { isMissing, translateS3Errors } from './s3-errors.ts'
import { listObjects, listUploads, putText } from './s3-objects.ts'
import type { S3Store } from './s3-seal.ts'

const areas = ['objects', 'staging', 'quarantine']

/** Opens the identity of a bucket. Makes no call. */
export function createS3Identity(
  store: S3Store,
  settings: Pick<S3Settings, 'bucket' | 'endpoint' | 'prefix' | 'region'>,
): StorageIdentity {
  const { calls, layout } = store

  async function findId(): Promise<string | undefined> {
    const input = { Bucket: calls.bucket, Key: layout.installationId }
    try {
      return await calls.run(async (client, options) => {
        const { Body } = await client.send(new GetObjectCommand(input), options)
        return (await Body?.transformToString())?.trim()
      })
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async function hasFiles(): Promise<boolean> {
    for (const area of areas)
      for await (const { name } of listObjects(calls, `${layout.prefix}${area}/`, 1)) return name !== ''
    for await (const { name } of listUploads(calls, `${layout.prefix}objects/`)) return name !== ''
    return false
  }

  return {
    address: `${settings.endpoint ?? settings.region} s3://${settings.bucket}/${settings.prefix}`,
    location: `bucket s3://${settings.bucket}/${settings.prefix}`,
    settings: 'QUAYSIDE_S3_BUCKET or QUAYSIDE_S3_PREFIX',
    advice: 'Check QUAYSIDE_S3_BUCKET and QUAYSIDE_S3_PREFIX.',
    emptyReason:
      'QUAYSIDE_S3_BUCKET or QUAYSIDE_S3_PREFIX is probably not correct, or another server uses this database with its own bucket.',
    findId: () => translateS3Errors(findId()),
    saveId: (id) => translateS3Errors(putText(calls, layout.installationId, `${id}\n`)),
    hasFiles: () => translateS3Errors(hasFiles()),
  }
}
