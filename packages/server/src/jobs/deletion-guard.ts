import { findClockDifferenceSeconds } from '../database/health.ts'
import type { Deps } from '../deps.ts'
import { recordClock } from '../installation/installation.db.ts'
import { assertSameInstallation } from '../installation/installation.ts'
import { Problem } from '../lib/problem.ts'

const maxJumpMs = 24 * 60 * 60 * 1000
const maxDifferenceSeconds = 5 * 60
/** How long the service must run before it deletes anything after the clock changed while it was stopped. */
const pauseSeconds = 24 * 60 * 60

/** A handful of orphans is normal, whatever their share of a small store. */
const alwaysAllowed = 5

type GuardDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'log'>

/**
 * Every deletion job calls this first. Throws `unavailable` if the storage belongs to another installation, or if the
 * clock is implausible: a job could then delete data that is still needed.
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
  throw unsound(
    'The clock jumped or differs from the database clock. Check the time synchronization of both machines.',
  )
}

/** The clock of the last run is kept in the database, because a service that starts with a wrong clock sees no jump. */
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
  throw unsound(`Deletion is paused for ${hoursLeft} more hours of running time because the clock changed.`)
}

const unsound = (message: string): Problem => new Problem('unavailable', 'clock.unsound', message)

/**
 * Returns whether a run may set `found` of the `examined` objects aside. Many orphans at once are more likely a wrong
 * database than garbage: the run must then leave everything as it is, and the log says so.
 */
export function isOrphanShareAllowed(
  { config, log }: Pick<Deps, 'config' | 'log'>,
  { found, examined, what }: { found: number; examined: number; what: string },
): boolean {
  const limitPercent = config.orphanLimitPercent
  if (found <= alwaysAllowed || found * 100 <= examined * limitPercent) return true
  log.error(
    { alarm: 'too_many_orphans', found, examined, limitPercent },
    `${what}: too many for one run, so nothing was changed. Check that the database is the right and newest one. ` +
      'If it is, start the service with a higher QUAYSIDE_ORPHAN_LIMIT_PERCENT.',
  )
  return false
}
