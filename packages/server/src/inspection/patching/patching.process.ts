import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { applyPatch } from '@quayside/sdk/apply-patch'
import { readChunkIndex } from '@quayside/sdk/chunk-index'
import { ContentCutter } from '@quayside/sdk/content-cutter'
import { createPatch, type PatchedFile } from '@quayside/sdk/create-patch'
import { nodePatchTools, sourceOfFile } from '@quayside/sdk/node-patch-tools'
import { readPatchIndex } from '@quayside/sdk/patch-format'
import { openParent } from '../parent-source.ts'
import { restrictProcess } from '../restrict-process.ts'
import { patchingFiles, type PatchingTask } from './patching-task.ts'

// Creates a patch between two files in a sandboxed process, and applies it to verify it.

restrictProcess()
const parent = openParent()
const task = parent.receiveTask().task as PatchingTask
const tools = nodePatchTools(task.folder, crc32)
const readBytes = 1024 * 1024

parent.send({ isCreated: writePatch() })

/** Writes the patch. Returns false if it would cost a client as much as its chunks, or half of the file. */
function writePatch(): boolean {
  const old = openFile('old')
  const file = openFile('file')
  const maxPatchBytes = Math.min(file.source.sizeBytes / 2, countMissingBytes(old.source))
  if (maxPatchBytes < task.minSavedBytes) return false
  const made = createPatch(old, file, {
    tools,
    maxContentBytes: task.maxContentBytes,
    maxPatchBytes: maxPatchBytes - task.minSavedBytes,
  })
  if (made === undefined) return false
  const { start, body } = made
  const target = openSync(join(task.folder, patchingFiles.patch), 'wx+', 0o600)
  append(target, start)
  for (const bytes of bytesOf(body.source)) append(target, bytes)
  body.free()
  const patch = sourceOfFile(target, fstatSync(target).size)
  if (patch.sizeBytes >= maxPatchBytes) return false
  const restored = createHash('sha256')
  const pieces = applyPatch({ patch, index: readPatchIndex(patch, tools), old: old.source }, tools)
  for (const bytes of pieces) restored.update(bytes)
  if (!restored.digest().equals(file.sha256)) throw new Error('The patch does not restore the file.')
  closeSync(target)
  return true
}

/** Returns how many bytes of the file are in chunks that the old file does not have. */
function countMissingBytes(old: PatchedFile['source']): number {
  const { sizes, chunks } = readChunkIndex(readFileSync(join(task.folder, patchingFiles.index)))
  const known = new Set<string>()
  const cutter = new ContentCutter(sizes, (chunk) =>
    known.add(createHash('sha256').update(chunk).digest('hex')),
  )
  for (const bytes of bytesOf(old)) cutter.push(bytes)
  cutter.end()
  return chunks.reduce((sum, { sha256, sizeBytes }) => sum + (known.has(sha256) ? 0 : sizeBytes), 0)
}

function openFile(name: 'old' | 'file'): PatchedFile & { sha256: Buffer } {
  const descriptor = openSync(join(task.folder, patchingFiles[name]), 'r')
  const source = sourceOfFile(descriptor, fstatSync(descriptor).size)
  const hash = createHash('sha256')
  for (const bytes of bytesOf(source)) hash.update(bytes)
  const sha256 = hash.digest()
  if (sha256.toString('hex') !== task.sha256[name]) throw new Error('A copied file is damaged.')
  return { source, sha256 }
}

function* bytesOf(source: PatchedFile['source']): Generator<Uint8Array> {
  for (let start = 0; start < source.sizeBytes; start += readBytes) {
    const bytes = new Uint8Array(Math.min(readBytes, source.sizeBytes - start))
    source.read(bytes, start)
    yield bytes
  }
}

function append(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written)
}
