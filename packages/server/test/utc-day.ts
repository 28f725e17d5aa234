import { setTimeout as pause } from 'node:timers/promises'

const dayMs = 24 * 60 * 60 * 1000

/** Waits for the next day if the current one ends in less than a minute, for tests that expect all calls on one UTC day. */
export async function avoidMidnight(): Promise<void> {
  const leftMs = dayMs - (Date.now() % dayMs)
  if (leftMs < 60_000) await pause(leftMs + 1_000)
}
