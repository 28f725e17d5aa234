import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import { restoreContent } from '@quayside/sdk/apply-patch'
import { nodePatchTools, sourceOfFile } from '@quayside/sdk/node-patch-tools'
import type { ContentPart, PatchIndex } from '@quayside/sdk/patch-format'
import { crc32 } from '../archive/read-content.ts'
import type { Output } from '../output/output.ts'
import type { NeededEntry } from './compare-folder.ts'
import { FetchedPatch } from './fetched-patch.ts'
import { recordedCrc } from './folder-state.ts'
import type { FileRecord, FolderState } from './folder-state.ts'
import { fileCrc } from './list-folder.ts'
import type { LocalItem } from './list-folder.ts'
import type { Placer } from './placer.ts'
import type { RemoteArchive } from './remote-archive.ts'

type Options = {
  folder: string
  state: FolderState
  remote: RemoteArchive
  /** The SHA-256 of the archive. */
  sha256: string
  items: Iterable<LocalItem>
  records: ReadonlyMap<string, FileRecord>
  placer: Placer
  stagingPath: () => string
  output: Output
  signal: AbortSignal
}

export type Patched = { left: NeededEntry[]; count: number; receivedBytes: number }

type PatchedEntry = { needed: NeededEntry; part: ContentPart; source: LocalItem }

/** A larger patch of an entry saves less than its chunks, or needs too much memory. */
const maxRatio = 0.5
const maxPatchBytes = 64 * 1024 * 1024

/**
 * Restores entries from files of the previous build with the patch that the server offers. A file is found by its size and
 * CRC-32, and so is the entry. Returns the entries that are left, and how many bytes were received.
 */
export async function takePatched(needed: readonly NeededEntry[], options: Options): Promise<Patched> {
  const { state, remote, sha256, output, signal } = options
  const result: Patched = { left: [...needed], count: 0, receivedBytes: 0 }
  const isFile = ({ entry }: NeededEntry) => entry.kind === 'file' && entry.sizeBytes > 0
  if (state.archiveSha256 === undefined || !needed.some(isFile)) return result
  let patch: FetchedPatch | undefined
  try {
    const offered = await remote.findPatch(state.archiveSha256)
    if (offered === undefined) return result
    patch = new FetchedPatch(offered, signal)
    const index = await patch.fetchIndex({ from: state.archiveSha256, to: sha256 })
    const entries = await findEntries(needed.filter(isFile), index, options)
    const staged: [NeededEntry, string][] = []
    for (const each of entries) {
      signal.throwIfAborted()
      const path = await restoreEntry(each, patch, options)
      if (path !== undefined) staged.push([each.needed, path])
    }
    // Afterward, because a file that is replaced can be the source of another.
    for (const [each, path] of staged) await options.placer.place(each, path)
    const taken = new Set(staged.map(([each]) => each))
    result.left = needed.filter((each) => !taken.has(each))
    result.count = taken.size
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
    output.note(`The patch of ${remote.filename} cannot be used: ${reason}. Using its chunks.`)
  }
  result.receivedBytes = patch?.receivedBytes ?? 0
  return result
}

const keyOf = (sizeBytes: number, crc: number) => `${sizeBytes}:${crc}`

/** Finds the entries that the patch restores from content that a local file has. */
async function findEntries(
  needed: readonly NeededEntry[],
  { parts }: PatchIndex,
  { folder, state, items, records, placer, signal }: Options,
): Promise<PatchedEntry[]> {
  const partOf = new Map<string, ContentPart>()
  for (const part of parts)
    if (part.type === 'content') partOf.set(keyOf(part.contentBytes, part.crc32), part)
  const wanted: { needed: NeededEntry; part: ContentPart }[] = []
  for (const each of needed) {
    const part = partOf.get(keyOf(each.entry.sizeBytes, each.entry.crc32))
    const patchBytes = part === undefined ? Infinity : part.contentPatch.end - part.contentPatch.start
    if (part !== undefined && patchBytes < Math.min(maxPatchBytes, maxRatio * each.entry.storedBytes))
      wanted.push({ needed: each, part })
  }
  const sizes = new Set(wanted.map(({ part }) => BigInt(part.source.contentBytes)))
  const found = new Map<string, LocalItem>()
  for (const item of items) {
    if (item.kind !== 'file' || !sizes.has(item.stats.size) || placer.isGone(item)) continue
    const record = records.get(item.path) ?? state.files.get(item.path)
    const crc = recordedCrc(record, item.stats) ?? (await fileCrc(join(folder, item.path), { signal }))
    found.set(keyOf(Number(item.stats.size), crc), item)
  }
  return wanted.flatMap(({ needed: each, part }) => {
    const source = found.get(keyOf(part.source.contentBytes, part.source.crc32))
    return source === undefined ? [] : [{ needed: each, part, source }]
  })
}

/** Restores the content of an entry. Returns undefined if it is not what the directory of the archive says. */
async function restoreEntry(
  { needed: { entry }, part, source }: PatchedEntry,
  patch: FetchedPatch,
  { folder, stagingPath, signal }: Options,
): Promise<string | undefined> {
  const tools = nodePatchTools(folder, crc32)
  const bytes = await patch.fetchPart(part)
  const local = await open(join(folder, source.path), constants.O_RDONLY)
  const path = stagingPath()
  const target = await open(path, 'wx', entry.isExecutable ? 0o777 : 0o666)
  let crc = 0
  try {
    const content = sourceOfFile(local.fd, (await local.stat()).size)
    for (const restored of restoreContent({ patch: bytes, part, source: content }, tools)) {
      crc = crc32(restored, crc)
      await target.writeFile(restored)
      // Restoring blocks, so an interruption is noticed between two pieces.
      await nextTick()
      signal.throwIfAborted()
    }
    await target.sync()
  } finally {
    await target.close()
    await local.close()
  }
  if (crc === entry.crc32) return path
  await rm(path)
  return undefined
}
