import { resolve } from 'node:path'
import { isBucketName, isPrefix, normalizePrefix } from '../../config/storage.ts'
import { problem } from '../../lib/problem.ts'

/** `time` selects one of the backups in a bucket; undefined for the most recent one. */
export type BucketLocation = { kind: 'bucket'; bucket: string; prefix: string; time: string | undefined }

export type BackupLocation = { kind: 'folder'; folder: string } | BucketLocation

const timePattern = /^(.*\/)?(\d{4}-\d{2}-\d{2}T\d{6}Z)\/$/

/** Parses the location of a backup: the path of a folder, or `s3://bucket/prefix`, which a time may follow. */
export function parseLocation(text: string): BackupLocation {
  const [, bucket, path] = /^s3:\/\/([^/]*)(.*)$/i.exec(text) ?? []
  if (bucket === undefined) return { kind: 'folder', folder: resolve(text) }
  const whole = normalizePrefix(path)
  if (!isBucketName(bucket) || !isPrefix(whole)) throw invalidLocation({ text })
  const [, prefix = '', time] = timePattern.exec(whole) ?? [undefined, whole, undefined]
  return { kind: 'bucket', bucket, prefix, time }
}

const invalidLocation = problem(
  'invalid',
  'backup.invalid_location',
  '"{text}" is not a location in a bucket. Use a location such as s3://backups/quayside.',
)

/** Returns the name of a backup that starts now. Names sort by time. */
export const timeName = (now: Date): string =>
  now
    .toISOString()
    .replace(/\.\d+/, '')
    .replaceAll(/(\d{2}):(\d{2}):(\d{2})/g, '$1$2$3')
