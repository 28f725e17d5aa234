import type { Entry, PastEntry, PublishedBuild, PublishedFile } from '../adapters/adapter.ts'

/** What the repository contains from a time on. */
export type Snapshot = { atMs: number; entry: Entry | undefined }

/**
 * Returns the newest version that was offered to everyone at each time, oldest first. It depends only on when files were
 * added and rollouts were changed, so that every node returns the same, and new versions only add to its end.
 */
export function listSnapshots(
  history: readonly PastEntry[],
  nowMs: number,
  isReady: (entry: Entry) => boolean,
): Snapshot[] {
  const untilMs = findPendingMs(history)
  const changes = history
    .flatMap((entry, index) => listChanges(entry, nowMs, isReady).map((change) => ({ ...change, index })))
    .filter(({ atMs }) => atMs < untilMs)
    .toSorted((a, b) => a.atMs - b.atMs || b.index - a.index)
  // The entries are newest first, so the first one that is offered counts.
  const offered: (Entry | undefined)[] = history.map(() => undefined)
  let newest = offered.length
  return changes.map(({ atMs, entry, index }) => {
    offered[index] = entry
    if (entry !== undefined) newest = Math.min(newest, index)
    else if (index === newest) newest = nextOffered(offered, index)
    return { atMs, entry: offered[newest] }
  })
}

function nextOffered(offered: readonly (Entry | undefined)[], from: number): number {
  const found = offered.findIndex((entry, index) => index > from && entry !== undefined)
  return found < 0 ? offered.length : found
}

/** Returns the time of the first file that is yet to be read. What follows would get another parent afterwards. */
function findPendingMs(entries: readonly Entry[]): number {
  const pending = entries
    .flatMap(({ files }) => files)
    .filter(({ kind, sha256, build }) => kind === 'file' && (sha256 === null || build.isPending))
  return pending.reduce((first, { createdAt }) => Math.min(first, createdAt.getTime()), Infinity)
}

/** Returns the states of a version, which are undefined from the time on at which it was withdrawn. */
function listChanges(
  past: PastEntry,
  nowMs: number,
  isReady: (entry: Entry) => boolean,
): { atMs: number; entry: Entry | undefined }[] {
  const { offered, ...entry } = past
  const times = [
    ...entry.files.flatMap((file) => [
      addedMs(file, entry.publishedAt),
      file.build.goneAt?.getTime() ?? nowMs,
    ]),
    ...offered.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]),
  ]
  const changes = [...new Set(times)]
    .filter((atMs) => Number.isFinite(atMs) && atMs <= nowMs)
    .toSorted((a, b) => a - b)
    .map((atMs) => {
      const time = offered.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs)
      if (time === undefined) return { atMs, entry: undefined }
      const rollout = { ...entry.rollout, minimumOs: time.minimumOs }
      const then = entryAt({ ...entry, rollout }, atMs)
      return { atMs, entry: isReady(then) ? then : undefined }
    })
  const first = changes.findIndex((change) => change.entry !== undefined)
  return first < 0 ? [] : changes.slice(first)
}

/** The files of a build of a stream are published when they are added, and those of a release with the release. */
const addedMs = ({ createdAt, build }: PublishedFile, publishedAt: Date): number =>
  Math.max(createdAt.getTime(), build.isReleased ? publishedAt.getTime() : 0)

/** Returns a version with the files that it had at a time. */
function entryAt(entry: Entry, atMs: number): Entry {
  const builds = new Map<PublishedBuild, PublishedFile[]>()
  const files = entry.files
    .filter(
      (file) =>
        addedMs(file, entry.publishedAt) <= atMs &&
        (file.build.goneAt === null || file.build.goneAt.getTime() > atMs),
    )
    .map((file) => {
      const own = builds.get(file.build) ?? []
      builds.set(file.build, own)
      const copy = { ...file, build: { ...file.build, files: own } }
      own.push(copy)
      return copy
    })
  return { ...entry, files }
}
