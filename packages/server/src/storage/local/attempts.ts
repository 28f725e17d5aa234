import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { limitConcurrencyByName } from '../../lib/concurrency.ts'
import { isErrno } from '../../lib/problem.ts'
import { listNames } from './local-folders.ts'
import { parsePartName, type LocalLayout } from './local-layout.ts'

/**
 * Maximum number of attempts kept for each part. A client that resends a part needs only its newest attempt; the others
 * allow for concurrent PUTs of the same part.
 */
const maxAttempts = 4
/** Maximum number of parts that are counted in memory, which limits the counts to about 5 MB. */
const maxCountedParts = 100_000

export type Attempts = {
  /** Moves an attempt into place with `move`, then runs `work`. The attempt is not deleted before `work` finishes. */
  landing<T>(key: string, name: string, move: () => Promise<void>, work: () => Promise<T>): Promise<T>
  /** Prevents these attempts from being deleted until the returned function is called. */
  protect(key: string, names: string[]): () => void
  /** Discards the counts of a key that accepts no more parts. */
  forget(key: string): void
}

/**
 * Creates the limit of four attempts for each part: when a newer attempt is stored, the oldest is deleted. Attempts are
 * counted in memory, because listing a folder of 10,000 parts on each PUT would take quadratic time. Servers that share
 * the folder count separately, but each of them recounts the files in the folder before it deletes any.
 */
export function createAttempts(layout: LocalLayout): Attempts {
  const exclusive = limitConcurrencyByName(1)
  const attemptCounts = createAttemptCounts()
  const { protect, isProtected } = createProtection()

  /** Deletes the oldest attempts of every part that has more than four, and counts the rest. */
  const dropOldest = async (key: string): Promise<void> => {
    const { folder } = layout.staging(key)
    const names = await layout.writing(() => listNames(folder))
    // A concurrent verify or abort request has moved the folder.
    if (names.length === 0) return attemptCounts.forget(key)
    const parts = Map.groupBy(names, (name) => parsePartName(name)?.partNumber ?? -1)
    const counts: PartCounts = new Map()
    for (const [partNumber, attempts] of parts) {
      const surplus = attempts.length - maxAttempts
      const candidates = attempts.filter((name) => !isProtected(key, name))
      const dropped = surplus > 0 ? await deleteOldest(layout, folder, candidates, surplus) : 0
      counts.set(partNumber, attempts.length - dropped)
    }
    attemptCounts.remember(key, counts)
  }

  /**
   * Counts a new attempt. `countsBefore` contains the counts from when the attempt was moved into place. If the folder
   * was recounted after that, the counts already include the attempt.
   */
  const countLanded = async (
    key: string,
    partNumber: number,
    countsBefore: PartCounts | undefined,
  ): Promise<void> => {
    const counts = attemptCounts.find(key)
    if (counts === undefined) return dropOldest(key)
    if (counts === countsBefore) attemptCounts.increment(counts, partNumber)
    if ((counts.get(partNumber) ?? 0) > maxAttempts) await dropOldest(key)
  }

  return {
    async landing(key, name, move, work) {
      const release = protect(key, [name])
      try {
        // Deletions wait for this move, because an attempt with the same bytes as an older attempt reuses its file
        // name.
        const counts = await exclusive(key, async () => {
          await move()
          return attemptCounts.find(key)
        })
        const result = await work()
        release()
        await exclusive(key, () => countLanded(key, parsePartName(name)?.partNumber ?? 0, counts))
        return result
      } finally {
        release()
      }
    },
    protect,
    forget: attemptCounts.forget,
  }
}

/** The number of attempts at each part of a key. */
type PartCounts = Map<number, number>

/** Creates the counts of the keys to which parts were added last. */
function createAttemptCounts() {
  const countsByKey = new Map<string, PartCounts>()
  let countedParts = 0

  const forget = (key: string): void => {
    countedParts -= countsByKey.get(key)?.size ?? 0
    countsByKey.delete(key)
  }
  return {
    find: (key: string) => countsByKey.get(key),
    remember(key: string, counts: PartCounts): void {
      forget(key)
      countsByKey.set(key, counts)
      countedParts += counts.size
      for (const oldest of countsByKey.keys()) {
        if (countedParts <= maxCountedParts || oldest === key) break
        forget(oldest)
      }
    },
    /** Counts an attempt in counts that `find` has returned. */
    increment(counts: PartCounts, partNumber: number): void {
      if (!counts.has(partNumber)) countedParts += 1
      counts.set(partNumber, (counts.get(partNumber) ?? 0) + 1)
    },
    forget,
  }
}

/** Creates the protection of attempts against being deleted. An attempt can be protected several times. */
function createProtection() {
  const protectedNames = new Map<string, number>()
  return {
    isProtected: (key: string, name: string): boolean => protectedNames.has(`${key}/${name}`),
    protect(key: string, names: string[]): () => void {
      const entries = names.map((name) => `${key}/${name}`)
      for (const entry of entries) protectedNames.set(entry, (protectedNames.get(entry) ?? 0) + 1)
      return () => {
        for (const entry of entries.splice(0)) {
          const count = (protectedNames.get(entry) ?? 0) - 1
          if (count > 0) protectedNames.set(entry, count)
          else protectedNames.delete(entry)
        }
      }
    },
  }
}

/** Deletes the oldest attempts of a part, up to a number. Returns the number of those that it has deleted. */
async function deleteOldest(
  layout: LocalLayout,
  folder: string,
  names: string[],
  maxDeleted: number,
): Promise<number> {
  const aged = await Promise.all(
    names.map(async (name) => {
      const { mtimeMs } = await layout.writing(() => stat(join(folder, name))).catch(ignoreMissing)
      return { name, mtimeMs }
    }),
  )
  const oldest = aged.toSorted((a, b) => a.mtimeMs - b.mtimeMs).slice(0, maxDeleted)
  for (const { name } of oldest) await layout.writing(() => rm(join(folder, name), { force: true }))
  return oldest.length
}

/** Ignores missing files, because a concurrent verify or abort request may move the folder at any time. */
function ignoreMissing(error: unknown): { mtimeMs: number } {
  if (isErrno(error, 'ENOENT', 'ENOTDIR')) return { mtimeMs: Infinity }
  throw error
}
