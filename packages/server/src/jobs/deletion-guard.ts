import { findClockDifferenceSeconds } from '../database/health.ts'
import type { Deps } from '../deps.ts'
import { problem } from '../lib/problem.ts'
import { recordClock } from '../storage/installation/installation.db.ts'
import { assertSameInstallation } from '../storage/installation/installation.ts'

const maxJumpMs = 24 * 60 * 60 * 1000
const maxDifferenceSeconds = 5 * 60
/** How long deletion pauses if the clock changed while the service was stopped, in seconds of uptime. */
const pauseSeconds = 24 * 60 * 60

/** Number of orphans that are always allowed. A few are normal, even if they are a large share of a small store. */
const alwaysAllowed = 5

type GuardDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'log'>

/**
 * Throws `unavailable` if the storage belongs to another installation or the clock may be wrong, because a job could
 * then delete data that is still needed. Every deletion job must call this first.
 */
export async function assertDeletionAllowed(deps: GuardDeps): Promise<void> {
  try {
    await assertSameInstallation(deps.db, deps.storage.identity)
  } catch (error) {
    deps.log.error({ err: error }, 'storage and database do not belong together: skipping deletion jobs')
    throw error
  }
  await assertClockInSync(deps)
  await assertClockContinuous(deps)
}

async function assertClockInSync({ db, clock, log }: GuardDeps): Promise<void> {
  const jumpMs = Math.abs(clock.jumpMs())
  const differenceSeconds = Math.abs(await findClockDifferenceSeconds(db, clock.now()))
  if (jumpMs <= maxJumpMs && differenceSeconds <= maxDifferenceSeconds) return
  log.error({ jumpMs, differenceSeconds }, 'clock skew too large: skipping deletion jobs')
  throw clockSkewed()
}

/**
 * Throws `unavailable` if the clock changed while the service was stopped. A service that starts with a wrong clock
 * cannot detect the change itself, so the time of the last run is stored in the database.
 */
async function assertClockContinuous({ db, log }: GuardDeps): Promise<void> {
  const recorded = await recordClock(db, pauseSeconds)
  if (recorded === undefined || recorded.paused_seconds === 0) return
  const { before, now, has_gap } = recorded
  const hoursLeft = Math.ceil(recorded.paused_seconds / 3600)
  if (has_gap)
    log.error(
      { before, now, hoursLeft },
      'the clock changed while the service was stopped: deletion jobs pause until the service has run for a day; check the clock',
    )
  else log.warn({ hoursLeft }, 'deletion jobs are paused because the clock changed')
  throw deletionPaused({ hoursLeft })
}

const clockSkewed = problem(
  'unavailable',
  'clock.unsound',
  'The clock jumped or differs from the database clock. Check the time synchronization of both machines.',
)

const deletionPaused = problem(
  'unavailable',
  'clock.unsound',
  'Deletion is paused until the service has run for another {hoursLeft} h, because the clock changed. Check the time synchronization of both machines.',
)

/**
 * Returns whether a run may remove `found` of the `examined` objects as orphans. Many orphans at once suggest that the
 * service uses the wrong database. In that case, logs an error, and the caller must not change anything.
 */
export function isOrphanShareAllowed(
  { config, log }: Pick<Deps, 'config' | 'log'>,
  { found, examined, what }: { found: number; examined: number; what: string },
): boolean {
  const limitPercent = config.orphanLimitPercent
  if (found <= alwaysAllowed || found * 100 <= examined * limitPercent) return true
  log.error(
    { alarm: 'too_many_orphans', found, examined, limitPercent },
    `${what}: too many for one run, so nothing was changed. Check that this is the right database and that it is up to date. ` +
      'If it is, start the service with a higher QUAYSIDE_ORPHAN_LIMIT_PERCENT.',
  )
  return false
}
