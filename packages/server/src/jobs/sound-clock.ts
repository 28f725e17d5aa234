import { findClockDifferenceSeconds } from '../database/clock-difference.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../lib/problem.ts'

const mostJumpMs = 24 * 60 * 60 * 1000
const mostDifferenceSeconds = 5 * 60

/** A clock that is wrong would throw away what is still wanted. */
export async function requireSoundClock({ db, clock, log }: Deps): Promise<void> {
  const jumpMs = Math.abs(clock.jumpMs())
  const differenceSeconds = Math.abs(await findClockDifferenceSeconds(db, clock.now()))
  if (jumpMs <= mostJumpMs && differenceSeconds <= mostDifferenceSeconds) return
  log.error({ jumpMs, differenceSeconds }, 'the clock is not to be trusted: nothing is thrown away')
  throw new Problem('unavailable', 'clock.unsound', 'The clock jumped, or differs from the database clock.')
}
