import { findClockDifferenceSeconds } from '../database/health.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../lib/problem.ts'

const maxJumpMs = 24 * 60 * 60 * 1000
const maxDifferenceSeconds = 5 * 60

/** Throws `unavailable` if the clock is wrong, because a deletion job could then delete data too early. */
export async function assertClockInSync({ db, clock, log }: Deps): Promise<void> {
  const jumpMs = Math.abs(clock.jumpMs())
  const differenceSeconds = Math.abs(await findClockDifferenceSeconds(db, clock.now()))
  if (jumpMs <= maxJumpMs && differenceSeconds <= maxDifferenceSeconds) return
  log.error({ jumpMs, differenceSeconds }, 'clock skew too large: skipping deletion jobs')
  throw new Problem(
    'unavailable',
    'clock.unsound',
    'The clock jumped or differs from the database clock. Check the time synchronization of both machines.',
  )
}
