import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import type { StorageDriver } from '../src/storage/driver.ts'
import { storesInS3, testBucket, type S3Server } from './acceptance/test-storage.ts'
import type { Service } from './harness.ts'
import { createTestClient } from './s3-server.ts'

/** One file in the storage of a service, which tests read and damage without the service. */
export type StoredFile = {
  read: () => Promise<Buffer>
  write: (bytes: Uint8Array) => Promise<void>
  remove: () => Promise<void>
}

export type StoredFiles = {
  /** Returns the file with the bytes of an object, which has one segment. */
  fileOf: (key: string) => StoredFile
  installationId: StoredFile
  /** Lists the keys of an area, such as `objects`. */
  listKeys: (area: string) => Promise<string[]>
  /** Stores the bytes of an object under another key. */
  copyObject: (from: string, to: string) => Promise<void>
}

type Stored = Pick<Service, 'dataDir' | 'state'>

/** Opens the files of a service where this run stores them: in the storage folder or in S3. */
export const storedFiles = (service: Stored): StoredFiles =>
  storesInS3 ? filesInS3(service) : filesInFolder(join(service.dataDir, 'storage'))

function filesInFolder(root: string): StoredFiles {
  const folderOf = (key: string) => join(root, 'objects', key.slice(-2), key)
  const pathOf = (key: string) => globSync(join(folderOf(key), '*'))[0] ?? join(folderOf(key), 'missing')
  const file = (path: string): StoredFile => ({
    read: () => readFile(path),
    write: (bytes) => writeFile(path, bytes),
    remove: () => rm(path),
  })
  return {
    fileOf: (key) => file(pathOf(key)),
    installationId: file(join(root, 'installation-id')),
    listKeys: async (area) => globSync('*/*', { cwd: join(root, area) }).map((path) => path.slice(3)),
    async copyObject(from, to) {
      const source = pathOf(from)
      const target = source.replace(folderOf(from), folderOf(to))
      await mkdir(dirname(target), { recursive: true })
      await link(source, target)
    },
  }
}

/**
 * Calls `work` while the storage is missing: its folder is not mounted, or its installation ID is not in the bucket.
 * `environment` selects storage that is missing too.
 */
export async function withoutStorage(
  service: Stored,
  work: (environment: Record<string, string>) => Promise<void>,
): Promise<void> {
  if (storesInS3) {
    const { read, remove, write } = storedFiles(service).installationId
    const id = await read()
    await remove()
    return work({ QUAYSIDE_S3_PREFIX: randomUUID() }).finally(() => write(id))
  }
  const folder = join(service.dataDir, 'storage')
  await rename(folder, `${folder}.away`)
  await work({}).finally(() => rename(`${folder}.away`, folder))
}

/** Returns storage whose files appear three days older to sweeps. The age of a file in S3 cannot be changed. */
export const withOldFiles = (storage: StorageDriver): StorageDriver => ({
  ...storage,
  listKeys: ({ unchangedSince }) =>
    storage.listKeys({ unchangedSince: new Date(unchangedSince.getTime() + 3 * 24 * 3_600_000) }),
})

let client: S3Client | undefined

function filesInS3({ state }: Stored): StoredFiles {
  client ??= createTestClient(JSON.parse(process.env['QUAYSIDE_TEST_S3'] ?? '') as S3Server)
  const s3 = client
  const prefix = `${state.storage['QUAYSIDE_S3_PREFIX']}/`
  const objectOf = (name: string) => ({ Bucket: testBucket, Key: `${prefix}${name}` })
  const file = (name: string): StoredFile => ({
    async read() {
      const { Body } = await s3.send(new GetObjectCommand(objectOf(name)))
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    },
    write: async (bytes) => void (await s3.send(new PutObjectCommand({ ...objectOf(name), Body: bytes }))),
    remove: async () => void (await s3.send(new DeleteObjectCommand(objectOf(name)))),
  })
  return {
    fileOf: (key) => file(`objects/${key}`),
    installationId: file('installation-id'),
    async listKeys(area) {
      const folder = objectOf(`${area}/`).Key
      const found = await s3.send(new ListObjectsV2Command({ Bucket: testBucket, Prefix: folder }))
      return (found.Contents ?? []).map(({ Key = '' }) => Key.slice(folder.length))
    },
    async copyObject(from, to) {
      const CopySource = `${testBucket}/${objectOf(`objects/${from}`).Key}`
      await s3.send(new CopyObjectCommand({ ...objectOf(`objects/${to}`), CopySource }))
    },
  }
}
