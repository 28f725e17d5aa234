import { isAvailable, type RolloutRules } from './rollout.ts'

/** How a version was offered from a time on. */
export type RolloutChange = Pick<RolloutRules, 'state' | 'percentage' | 'completeAtMs' | 'minimumOs'> & {
  version: string
  atMs: number
}

/** A time during which a version was offered to everyone. */
export type OfferedTime = { fromMs: number; untilMs: number; minimumOs: RolloutRules['minimumOs'] }

/** Returns when a version was offered to everyone, given the changes of its rollout, oldest first. */
export function offeredTimes(changes: readonly RolloutChange[]): OfferedTime[] {
  const [first] = changes
  const times: OfferedTime[] = [{ fromMs: -Infinity, untilMs: first?.atMs ?? Infinity, minimumOs: {} }]
  for (const [index, { atMs, state, percentage, completeAtMs, minimumOs }] of changes.entries()) {
    const untilMs = changes[index + 1]?.atMs ?? Infinity
    const fromMs = percentage >= 100 ? atMs : Math.max(atMs, completeAtMs ?? Infinity)
    if (isAvailable({ state }) && fromMs < untilMs) times.push({ fromMs, untilMs, minimumOs })
  }
  return times
}
