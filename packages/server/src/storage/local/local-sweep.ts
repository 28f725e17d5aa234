import type { Logger } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import { maxPutUrlSeconds } from '../driver.ts'
import { sweepTemporary } from './local-folders.ts'
import type { LocalLayout } from './local-layout.ts'
import { sweepTombstones } from './local-tombstone.ts'

type Options = {
  clock: Pick<Clock, 'now'>
  log: Pick<Logger, 'warn'>
  /** Whether everything in tmp/ is left over from an earlier run. */
  isSoleUser: boolean
  /** Returns whether this process receives a PUT for the key. */
  inUse: (key: string) => boolean
}

/**
 * A temporary file that has not changed for this long is considered abandoned. An active upload writes more often,
 * because even a client at the minimum rate fills a buffer within 9 minutes.
 */
const staleAfterSeconds = 3600
/**
 * How long the tombstone of an aborted upload is kept: longer than any signed URL is valid. A tombstone is also kept
 * while this process receives a PUT for its upload.
 */
const tombstoneSeconds = maxPutUrlSeconds + 24 * 60 * 60

/** Deletes abandoned temporary files and old tombstones, now and every hour until the returned function is called. */
export async function startSweeping(
  layout: LocalLayout,
  { clock, log, isSoleUser, inUse }: Options,
): Promise<() => void> {
  const secondsAgo = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000)
  const sweep = async (temporaryUnchangedSince: Date | undefined): Promise<void> => {
    try {
      await sweepTemporary(layout, temporaryUnchangedSince)
      await sweepTombstones(layout, { createdBefore: secondsAgo(tombstoneSeconds), inUse })
    } catch (error) {
      log.warn({ err: error }, 'could not sweep temporary files')
    }
  }
  await sweep(isSoleUser ? undefined : secondsAgo(staleAfterSeconds))
  const timer = setInterval(() => void sweep(secondsAgo(staleAfterSeconds)), staleAfterSeconds * 1000).unref()
  return () => clearInterval(timer)
}
