import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { inTransaction } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { InspectionError } from '../../../inspection/inspection.ts'
import { patchingFiles } from '../../../inspection/patching/patching-task.ts'
import { InspectionAborted } from '../../../inspection/sandboxed-process.ts'
import { job } from '../../../jobs/job.ts'
import { newStorageKey, storeIdOf } from '../../../storage/custom/store-key.ts'
import { DamagedFile } from '../../../storage/damaged-file.ts'
import type { SealedObject } from '../../../storage/driver.ts'
import { copyToFile } from '../../../storage/objects/copy-to-file.ts'
import { reservedBytesOf } from '../../../storage/objects/free-space.ts'
import { listComparedFiles, type ComparedFileRow } from '../comparisons/comparison.db.ts'
import {
  listEarlierBuilds,
  releaseAttempt,
  savePatch,
  savePatchFailure,
  startAttempt,
  type PatchedFiles,
} from './patch.db.ts'

/** Builds that are read again after an upgrade need no patches, because clients update to newer ones. */
const maxAgeDays = 2
/** Streams can contain files of other kinds between two versions of a file. */
const maxEarlierBuilds = 20
const maxAttempts = 2
const minSavedBytes = 16 * 1024
const folderPrefix = 'patch-'
/** A folder that a killed service left. No process runs as long. */
const abandonedMs = 6 * 60 * 60 * 1000

/** Creates the patches with which clients update from the previous build of the stream to a new one. */
export const patchBuild = job<{ buildId: string }>({
  name: 'builds.patch',
  waitsForUploads: true,
  // Only failures of the database or storage are retried, and a process that was killed once.
  retries: 5,
  expireInSeconds: 3 * 60 * 60,
  handle: (deps, { buildId }, stopping) => createPatches(deps, buildId, stopping),
})

type PatchingDeps = Pick<Deps, 'db' | 'storage' | 'patcher' | 'config' | 'log'>
type SourceFile = ComparedFileRow & { checksum_sha256: string }
type IndexedFile = SourceFile & { index: SealedObject }

/** Creates the patches to the files of a build. */
export async function createPatches(
  deps: PatchingDeps,
  buildId: string,
  stopping: AbortSignal,
): Promise<void> {
  const { db, config } = deps
  if (config.patchMaxMb === 0) return
  await removeAbandonedFolders(deps)
  const earlierIds = await listEarlierBuilds(db, buildId, { maxAgeDays, limit: maxEarlierBuilds })
  if (earlierIds.length === 0) return
  const files = await listComparedFiles(db, [...earlierIds, buildId])
  const isUsable = (file: ComparedFileRow): file is SourceFile =>
    file.checksum_sha256 !== null &&
    file.checksum_error === null &&
    file.size_bytes <= config.patchMaxMb * 1024 ** 2
  for (const file of files) {
    const { index } = file
    if (file.build_id !== buildId || index === undefined || file.checksum_error !== null) continue
    // The job that computes it is running.
    if (file.checksum_sha256 === null) throw new Error('the checksum of a file is not known yet')
    if (!isUsable(file)) continue
    const ofKind = files.filter((one) => isSameKind(one, file))
    const source = earlierIds.flatMap((id) => ofKind.filter((one) => one.build_id === id)).find(isUsable)
    if (source === undefined || source.checksum_sha256 === file.checksum_sha256) continue
    await patchFile(deps, source, { ...file, index }, stopping)
  }
}

const isSameKind = (one: ComparedFileRow, other: ComparedFileRow): boolean =>
  one.role === other.role && one.filetype === other.filetype && patternOf(one) === patternOf(other)

/** Returns the name of a file without what differs between builds: the version, numbers, dates and commits. */
function patternOf({ filename, version, build_number: number }: ComparedFileRow): string {
  const name = filename.replaceAll(version, '#').replaceAll(number ?? version, '#')
  return name
    .toLowerCase()
    .replaceAll(/[0-9a-f]{7,40}/g, '#')
    .replaceAll(/[\d.#]*[\d#]/g, '#')
}

async function patchFile(
  deps: PatchingDeps,
  source: SourceFile,
  file: IndexedFile,
  stopping: AbortSignal,
): Promise<void> {
  const { db, config, log } = deps
  const files: PatchedFiles = { fileId: file.id, sourceId: source.id }
  await removeFolders(config, (name) => name.startsWith(`${folderPrefix}${file.id}-`))
  const attempt = await startAttempt(db, files, maxAttempts)
  if (attempt === undefined) return
  // The process of a service that was killed can still be running, and must not write to the folder of this attempt.
  const folder = join(scratchFolder(config), `${folderPrefix}${file.id}-${randomUUID()}`)
  try {
    await requireScratchSpace(config, source.size_bytes + file.size_bytes)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await createAndSave(deps, { source, file, folder }, stopping)
  } catch (error) {
    const isRepeated = error instanceof InspectionAborted && attempt < maxAttempts
    const reason = isRepeated || stopping.aborted ? undefined : reasonOf(error)
    // An attempt counts if its process failed. The database and the storage can be available later.
    if (stopping.aborted || (reason === undefined && !isRepeated)) await releaseAttempt(db, files)
    if (reason === undefined) throw error
    log.warn({ reason, ...files }, 'gave up the creation of a patch')
    await savePatchFailure(db, files, reason)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns why a file cannot be patched, or undefined if it can be later. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof InspectionError) return error.reason
  const isDamaged = error instanceof DamagedFile && error.code !== 'storage.file_missing'
  return isDamaged ? error.message : undefined
}

type Created = { source: SourceFile; file: IndexedFile; folder: string }

async function createAndSave(
  { db, storage, patcher, log }: PatchingDeps,
  { source, file, folder }: Created,
  stopping: AbortSignal,
): Promise<void> {
  const files: PatchedFiles = { fileId: file.id, sourceId: source.id }
  const copies = [
    [patchingFiles.old, source.object],
    [patchingFiles.file, file.object],
    [patchingFiles.index, file.index],
  ] as const
  for (const [name, object] of copies) await copyToFile(storage, object, join(folder, name), stopping)
  const sha256 = { old: source.checksum_sha256, file: file.checksum_sha256 }
  const isCreated = await patcher.createPatch({ folder, sha256, minSavedBytes }, stopping)
  if (!isCreated) return await savePatchFailure(db, files, notSmaller)
  const path = join(folder, patchingFiles.patch)
  const { size: sizeBytes } = await stat(path)
  const key = newStorageKey(storeIdOf(file.object.key))
  await storage.requireSpace(key, sizeBytes)
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer)
  const object = await storage.store(key, { sizeBytes, chunks: createReadStream(path) })
  const patch = { object, sha256: hash.digest('hex') }
  if (!(await inTransaction(db, (tx) => savePatch(tx, files, patch)))) await storage.remove(object)
  else log.info({ ...files, sizeBytes, fileBytes: file.size_bytes }, 'created a patch')
}

const notSmaller = 'A patch would not save more than the chunk index.'

const scratchFolder = ({ dataDir }: Deps['config']): string => resolve(dataDir, 'scratch')

/** Throws if copies of the files, their content and a patch could use space that is reserved for the database. */
async function requireScratchSpace(config: Deps['config'], copiedBytes: number): Promise<void> {
  const folder = scratchFolder(config)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { bavail, bsize, blocks } = await statfs(folder)
  const reservedBytes = reservedBytesOf(blocks * bsize, config.diskReserve)
  if (bavail * bsize - 3 * copiedBytes < reservedBytes)
    throw new Error('there is not enough disk space to create a patch')
}

const removeAbandonedFolders = ({ config }: Pick<Deps, 'config'>): Promise<void> =>
  removeFolders(config, async (name) => {
    const found = await stat(join(scratchFolder(config), name)).catch(() => undefined)
    return found !== undefined && found.mtimeMs < Date.now() - abandonedMs
  })

/** Removes those folders of killed services whose names `isLeft` accepts. */
async function removeFolders(
  config: Deps['config'],
  isLeft: (name: string) => boolean | Promise<boolean>,
): Promise<void> {
  const scratch = scratchFolder(config)
  for (const name of await readdir(scratch).catch(() => []))
    if (name.startsWith(folderPrefix) && (await isLeft(name)))
      await rm(join(scratch, name), { recursive: true, force: true })
}
