import { rm } from 'node:fs/promises'
import { problem } from '../../lib/problem.ts'
import { tooManyUploadsOfKey } from '../storage-errors.ts'
import type { LocalLayout } from './local-layout.ts'
import { uploadGone } from './local-tombstone.ts'

export type OpenPutLimits = { maxPerFile: number; maxPerCaller: number }

// Legitimate clients stay below these limits: they send 64 parts of a file in parallel, or 60 uploads with 16 parts
// each from a CI matrix.
const defaultOpenPutLimits: OpenPutLimits = { maxPerFile: 128, maxPerCaller: 1000 }

export type OpenPut = {
  /** Aborted with a Problem as its reason when the upload is aborted. */
  signal: AbortSignal
  /** Counts bytes of the body. */
  add(sizeBytes: number): void
  finish(): void
}

export type OpenPuts = {
  /** Counts a PUT whose body is about to be read. Throws `too_many` if a limit is exceeded. */
  start(put: { key: string; callerId: string; temporary: string }): OpenPut
  has(key: string): boolean
  /** Returns the number of bytes that the PUTs in progress have received. */
  receivedBytes(key: string): number
  /** Rejects the in-progress PUTs of a key and deletes the bytes received so far. */
  abort(key: string): Promise<void>
}

type Put = { temporary: string; controller: AbortController; receivedBytes: number }

/** Creates a counter of the PUTs in progress, so that one caller cannot exhaust file descriptors or memory. */
export function createOpenPuts(
  layout: LocalLayout,
  { maxPerFile, maxPerCaller }: OpenPutLimits = defaultOpenPutLimits,
): OpenPuts {
  const byKey = new Map<string, Set<Put>>()
  const countByCaller = new Map<string, number>()

  return {
    start({ key, callerId, temporary }) {
      const puts = byKey.get(key) ?? new Set()
      const callerCount = countByCaller.get(callerId) ?? 0
      if (puts.size >= maxPerFile) throw tooManyUploadsOfFile({ max: maxPerFile })
      if (callerId !== '' && callerCount >= maxPerCaller) throw tooManyUploadsOfKey({ max: maxPerCaller })
      const put: Put = { temporary, controller: new AbortController(), receivedBytes: 0 }
      byKey.set(key, puts.add(put))
      countByCaller.set(callerId, callerCount + 1)
      return {
        signal: put.controller.signal,
        add: (sizeBytes) => (put.receivedBytes += sizeBytes),
        finish() {
          if (!puts.delete(put)) return
          if (puts.size === 0) byKey.delete(key)
          const count = (countByCaller.get(callerId) ?? 1) - 1
          if (count === 0) countByCaller.delete(callerId)
          else countByCaller.set(callerId, count)
        },
      }
    },
    has: (key) => byKey.has(key),
    receivedBytes: (key) => [...(byKey.get(key) ?? [])].reduce((sum, put) => sum + put.receivedBytes, 0),
    async abort(key) {
      for (const { temporary, controller } of byKey.get(key) ?? []) {
        controller.abort(uploadGone())
        await layout.writing(() => rm(temporary, { force: true }))
      }
    },
  }
}

const tooManyUploadsOfFile = problem(
  'too_many',
  'storage.too_many_uploads',
  'This file already has {max} uploads in progress. Wait until some of them finish, then try again.',
  { retryAfterSeconds: 2 },
)
