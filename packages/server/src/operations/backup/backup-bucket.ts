import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { BackupStoreSettings } from '../../config/storage.ts'
import type { OpenFile, SaveFile } from '../../database/copy/dump-database.ts'
import { createS3Calls, type S3Calls } from '../../storage/s3/s3-client.ts'
import {
  abortUpload,
  deleteObject,
  deleteObjects,
  findObject,
  listObjects,
  listUploads,
} from '../../storage/s3/s3-objects.ts'
import { joinChunks, putObject } from '../../storage/s3/s3-put.ts'
import { readObject } from '../../storage/s3/s3-read.ts'
import type { BucketLocation } from './backup-location.ts'
import { explainErrors, explainError } from './bucket-errors.ts'
import { digestBytes } from './file-digest.ts'

type TextName = 'secret' | 'files' | 'backup.json'

/*
 * The objects in the bucket, after the prefix:
 *   files/<key>                 a stored file, followed by its SHA-256; all backups at this location share it
 *   <time>/database/<table>     the rows of a table, as in the folder of a backup
 *   <time>/secret               the master secret, unless it is set with QUAYSIDE_SECRET
 *   <time>/files                the keys of the files that belong to the backup
 *   <time>/backup.json          the manifest, which is written last
 */
export type BackupBucket = {
  /** The location of a backup for messages, or of all backups. */
  describe: (time?: string) => string
  /** Lists the backups, oldest first. */
  listBackups(): Promise<{ time: string; isComplete: boolean }[]>
  saveTable: (time: string) => SaveFile
  openTable: (time: string) => OpenFile
  saveText(time: string, name: TextName, text: string): Promise<void>
  /** Returns a text, or undefined if it does not exist. */
  findText(time: string, name: TextName): Promise<string | undefined>
  /** Lists the stored files in the order of their keys. */
  listFiles(): AsyncIterable<{ key: string; sizeBytes: number; storedAt: Date }>
  /** Stores a file, which replaces an earlier one. */
  saveFile(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Yields a file and its digest; yields nothing if it does not exist. */
  openFile(key: string): AsyncIterable<Uint8Array>
  deleteFile(key: string): Promise<void>
  /** Deletes a backup without its files. The manifest is deleted first, so that an interrupted call leaves no backup. */
  deleteBackup(time: string): Promise<void>
  /** Deletes the parts of files whose upload was interrupted more than a day ago. */
  deleteUnfinished(now: Date): Promise<void>
  close(): void
}

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{6}Z$/
const unfinishedMs = 24 * 60 * 60 * 1000

/** Opens the location of backups in a bucket. Makes no call. */
export function openBackupBucket(
  settings: BackupStoreSettings,
  { bucket, prefix }: Pick<BucketLocation, 'bucket' | 'prefix'>,
): BackupBucket {
  const calls = createS3Calls({ ...settings, bucket, prefix, publicEndpoint: undefined, acl: undefined })
  const nameOf = (...path: string[]): string => prefix + path.join('/')
  const describe = (time?: string): string => `s3://${bucket}/${prefix}${time ?? ''}`.replace(/\/$/, '')
  const { explain, explained, save, open } = createAccess(calls, describe())

  return {
    describe,

    listBackups: () => findBackups(explained(listObjects(calls, prefix)), prefix),

    saveTable: (time) => (name, chunks) => save(nameOf(time, 'database', name), chunks),

    openTable: (time) => (name) => Readable.from(open(nameOf(time, 'database', name)), { objectMode: false }),

    saveText: (time, name, text) => save(nameOf(time, name), Readable.from([Buffer.from(text)])),

    async findText(time, name) {
      if ((await explain(findObject(calls, nameOf(time, name)))) === undefined) return undefined
      return (await buffer(open(nameOf(time, name)))).toString()
    },

    async *listFiles() {
      const folder = nameOf('files', '')
      for await (const { name, sizeBytes, storedAt } of explained(listObjects(calls, folder)))
        yield { key: name.slice(folder.length), sizeBytes: sizeBytes - digestBytes, storedAt }
    },

    saveFile: (key, chunks) => save(nameOf('files', key), chunks),

    openFile: (key) => open(nameOf('files', key)),

    deleteFile: (key) => explain(deleteObject(calls, nameOf('files', key))),

    async deleteBackup(time) {
      await explain(deleteObject(calls, nameOf(time, 'backup.json')))
      await explain(deleteObjects(calls, nameOf(time, '')))
    },

    async deleteUnfinished(now) {
      for await (const { name, uploadId, openedAt } of explained(listUploads(calls, prefix)))
        if (now.getTime() - openedAt.getTime() > unfinishedMs)
          await explain(abortUpload(calls, name, uploadId))
    },

    close: () => calls.close(),
  }
}

/** Returns the backups to which listed objects belong. */
async function findBackups(objects: AsyncIterable<{ name: string }>, prefix: string) {
  const complete = new Map<string, boolean>()
  for await (const { name } of objects) {
    // Every time is listed before the files.
    if (name.startsWith(`${prefix}files/`)) break
    const [time = '', file] = name.slice(prefix.length).split('/')
    if (file === undefined || !timePattern.test(time)) continue
    complete.set(time, complete.get(time) === true || file === 'backup.json')
  }
  return [...complete].map(([time, isComplete]) => ({ time, isComplete }))
}

/** Returns the functions that access the bucket. Their errors name the location. */
function createAccess(calls: S3Calls, location: string) {
  const explain = <T>(work: Promise<T>) => explainErrors(work, location)

  async function save(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    let sizeBytes = 0
    const counted = async function* () {
      for await (const chunk of chunks) {
        sizeBytes += chunk.length
        yield chunk
      }
    }
    await explain(putObject(calls, name, joinChunks(counted())))
    const found = await explain(findObject(calls, name))
    if (found?.sizeBytes !== sizeBytes)
      throw new Error(`The store acknowledged ${location}, but ${name} does not have ${sizeBytes} bytes.`)
  }

  async function* open(name: string): AsyncGenerator<Uint8Array> {
    const found = await explain(findObject(calls, name))
    if (found === undefined) return
    const { etag, sizeBytes } = found
    yield* readObject(calls, name, { key: name, sizeBytes, segments: [{ name: etag, sizeBytes }] })
  }

  async function* explained<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* items
    } catch (error) {
      throw explainError(error, location)
    }
  }

  return { explain, explained, save, open }
}
