import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import { applyPatch } from '@quayside/sdk/apply-patch'
import { nodePatchTools, sourceOfFile } from '@quayside/sdk/node-patch-tools'
import { readPatchIndex } from '@quayside/sdk/patch-format'
import { crc32 } from '../archive/read-content.ts'
import { downloadFile } from '../transfer/download-file.ts'
import { fileChecksumWithProgress } from '../transfer/file-checksum.ts'
import { costOfChunks } from './chunk-cost.ts'
import { listFiles } from './find-chunks.ts'
import type { FoundChunks } from './find-chunks.ts'
import type { OfferedPatch } from './offered-patch.ts'
import type { ReuseContext, ReusedFile } from './reuse-context.ts'

/** Files of a folder that can be the previous version: the largest ones. */
const maxSources = 4
/** A patch that saves less is not worth reading the local file again. */
const minSavedBytes = 16 * 1024

type LocalPatch = OfferedPatch & { source: string; sourceSha256: string }

/**
 * Downloads and applies a patch if the server offers one from a local file that costs less than the chunks, verifies the
 * result and renames it to its target. Returns undefined if chunks have to be used.
 */
export async function patchFile(
  context: ReuseContext,
  file: ReusedFile,
  found: FoundChunks,
): Promise<{ receivedBytes: number; reusedBytes: number } | undefined> {
  const { agents, output, signal } = context
  const paths = patchPaths(file)
  try {
    // The chunks of an interrupted run are used first.
    if ((await stat(file.partialPath).catch(() => undefined)) !== undefined) return undefined
    const patch = await choosePatch(context, file, found)
    if (patch === undefined) return undefined
    await mkdir(paths.folder, { recursive: true })
    const checksum = { algorithm: 'sha256', hex: patch.sha256 } as const
    const { receivedBytes } = await downloadFile({
      filename: `patch of ${file.filename}`,
      sizeBytes: patch.sizeBytes,
      checksum,
      fetchChecksum: async () => checksum,
      url: async (fresh) => (fresh ? await freshUrl(file, patch) : patch.url),
      target: paths.patch,
      partialPath: paths.partialPatch,
      agents,
      output,
      signal,
    })
    await restore(context, file, patch.source)
    await rename(paths.result, file.target)
    await rm(paths.folder, { recursive: true, force: true })
    return { receivedBytes, reusedBytes: Math.max(0, file.index.fileBytes - receivedBytes) }
  } catch (error) {
    // The next run resumes the download.
    signal.throwIfAborted()
    output.note(`The patch of ${file.filename} cannot be used: ${messageOf(error)}. Using its chunks.`)
    return undefined
  } finally {
    if (!signal.aborted) await rm(paths.folder, { recursive: true, force: true })
  }
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')

const freshUrl = async ({ findPatch }: ReusedFile, { sourceSha256, url }: LocalPatch): Promise<string> =>
  (await findPatch(sourceSha256))?.url ?? url

/** Returns the paths of temporary files, which are in a folder of their own. */
function patchPaths({ partialPath }: ReusedFile) {
  const folder = partialPath.replace(/\.reuse\.part$/, '.patch.part')
  const inFolder = (name: string) => `${folder}/${name}`
  return {
    folder,
    patch: inFolder('patch'),
    partialPatch: inFolder('patch.part'),
    result: inFolder('result'),
  }
}

/** Returns the patch from a local file that costs less than the chunks, if there is one. */
async function choosePatch(
  context: ReuseContext,
  file: ReusedFile,
  found: FoundChunks,
): Promise<LocalPatch | undefined> {
  const missing = file.index.chunks.filter(({ sha256 }) => !found.found.has(sha256))
  const missingBytes = missing.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (missingBytes <= minSavedBytes) return undefined
  for (const { path: source } of (await listFiles(file.reuse)).slice(0, maxSources)) {
    const sourceSha256 = await fileChecksumWithProgress(context, source, 'sha256')
    const patch = await file.findPatch(sourceSha256)
    if (patch === undefined) continue
    const maxBytes = (await costOfChunks(file.index, missing, found, context.signal)) - minSavedBytes
    return patch.sizeBytes < maxBytes ? { ...patch, source, sourceSha256 } : undefined
  }
  return undefined
}

/** Applies the patch to a local file and verifies the result. */
async function restore({ signal }: ReuseContext, file: ReusedFile, source: string): Promise<void> {
  const paths = patchPaths(file)
  const { algorithm, hex } = file.checksum
  const sha256 = createHash('sha256')
  const checksum = createHash(algorithm)
  const tools = nodePatchTools(paths.folder, crc32)
  const descriptors = [openSync(paths.patch, 'r'), openSync(source, 'r')]
  const [patch, old] = descriptors.map((each) => sourceOfFile(each, fstatSync(each).size))
  const target = await open(paths.result, 'w')
  try {
    if (patch === undefined || old === undefined) throw new Error(`${basename(source)} cannot be read`)
    for (const bytes of applyPatch({ patch, index: readPatchIndex(patch, tools), old }, tools)) {
      sha256.update(bytes)
      checksum.update(bytes)
      await target.writeFile(bytes)
      // Applying blocks, so an interruption is noticed between two pieces.
      await nextTick()
      signal.throwIfAborted()
    }
    if (sha256.digest('hex') !== file.index.fileSha256 || checksum.digest('hex') !== hex)
      throw new Error('it does not restore the file')
    await target.sync()
  } finally {
    await target.close()
    for (const each of descriptors) closeSync(each)
  }
}
