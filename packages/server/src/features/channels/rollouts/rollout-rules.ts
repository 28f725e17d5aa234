import { hash } from 'node:crypto'
import type { StopRule } from './stop-rule.ts'
import { isSemverAbove } from './version-order.ts'

export const rolloutStates = ['active', 'paused', 'stopped', 'rolled_back'] as const
export type RolloutState = (typeof rolloutStates)[number]

/** How a channel offers a version. */
export type RolloutRules = {
  state: RolloutState
  /** The percentage at the time `changedAtMs`. */
  percentage: number
  changedAtMs: number
  /** The time until which the percentage grows to 100; null if it does not grow by itself. */
  completeAtMs: number | null
  cohorts: readonly string[]
  isCritical: boolean
  isRequired: boolean
  minimumOs: Readonly<Record<string, string>>
  stopWhen: StopRule | null
  /** The reports that stopped the rollout; null if its rule did not stop it. */
  stoppedByRule: { atMs: number; reports: number; failures: number } | null
}

/** A version without settings is offered to everyone. */
export const offeredToEveryone: RolloutRules = {
  state: 'active',
  percentage: 100,
  changedAtMs: 0,
  completeAtMs: null,
  cohorts: [],
  isCritical: false,
  isRequired: false,
  minimumOs: {},
  stopWhen: null,
  stoppedByRule: null,
}

/** What a client tells about itself. */
export type RolloutClient = { id: string | undefined; cohorts: ReadonlySet<string> }

/** Returns whether the version may be installed at all. */
export const isAvailable = ({ state }: Pick<RolloutRules, 'state'>): boolean =>
  state === 'active' || state === 'paused'

/** Returns the percentage of clients that are offered the version at a time. */
export function percentageAt(
  {
    percentage,
    changedAtMs,
    completeAtMs,
  }: Pick<RolloutRules, 'percentage' | 'changedAtMs' | 'completeAtMs'>,
  nowMs: number,
): number {
  if (completeAtMs === null || nowMs <= changedAtMs) return percentage
  if (nowMs >= completeAtMs) return 100
  return percentage + ((100 - percentage) * (nowMs - changedAtMs)) / (completeAtMs - changedAtMs)
}

/**
 * Returns the place of a client in the order in which a version reaches clients: at least 0 and below 100. It depends
 * only on the seed and the ID, so that a growing percentage adds clients and never removes one, on every node.
 */
export function placeOf(seed: string, clientId: string): number {
  const digest = hash('sha256', `${seed}\0${clientId}`, 'buffer')
  return (digest.readUInt32BE(0) / 2 ** 32) * 100
}

/** Returns whether a client is offered a version. A client without an ID waits until everyone is. */
export function isOfferedTo(
  rules: RolloutRules,
  seed: string,
  client: RolloutClient,
  nowMs: number,
): boolean {
  if (!isAvailable(rules)) return false
  if (rules.cohorts.some((cohort) => client.cohorts.has(cohort))) return true
  const percentage = percentageAt(rules, nowMs)
  if (percentage >= 100) return true
  return client.id !== undefined && placeOf(seed, client.id) < percentage
}

type Offerable = { sortKey: string; rollout: RolloutRules }

/**
 * Returns the versions that a client with the version `current` may install, newest first. It cannot skip a required
 * version, so versions above the lowest required version that the client lacks are left out.
 */
export function reachableFrom<Entry extends Offerable>(
  published: readonly Entry[],
  current: string | undefined,
  isOffered: (entry: Entry) => boolean,
): Entry[] {
  const required =
    current === undefined
      ? undefined
      : published.findLast(
          ({ sortKey, rollout }) =>
            rollout.isRequired && isAvailable(rollout) && isSemverAbove(sortKey, current),
        )
  return published.filter(
    (entry) => isOffered(entry) && (required === undefined || entry.sortKey <= required.sortKey),
  )
}
