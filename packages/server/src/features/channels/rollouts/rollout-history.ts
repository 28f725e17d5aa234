import type { Executor } from '../../../database/transaction.ts'
import { isAvailable, type RolloutRules, type RolloutState } from './rollout.ts'

/** How a version was offered from a time on. */
export type RolloutChange = Pick<RolloutRules, 'state' | 'percentage' | 'completeAtMs' | 'minimumOs'> & {
  version: string
  atMs: number
}

/** A time during which a version was offered to everyone. */
export type OfferedTime = { fromMs: number; untilMs: number; minimumOs: RolloutRules['minimumOs'] }

/**
 * Lists the changes of the rollouts of a channel, oldest first. The audit log keeps every change, and the table only the
 * last one.
 */
export async function listRolloutChanges(
  db: Executor,
  channel: { id: string; workspace_id: string },
): Promise<RolloutChange[]> {
  const rows = await db
    .selectFrom('audit_entries')
    .select(['after', 'created_at'])
    .where('workspace_id', '=', channel.workspace_id)
    .where('subject_type', '=', 'rollout')
    .where('subject_id', '=', channel.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ after, created_at }) => {
    const change = after as {
      version: string
      state: RolloutState
      percentage: number
      complete_at: string | null
      minimum_os: Record<string, string>
    } | null
    return change === null
      ? []
      : {
          version: change.version,
          atMs: Date.parse(created_at),
          state: change.state,
          percentage: change.percentage,
          completeAtMs: change.complete_at === null ? null : Date.parse(change.complete_at),
          minimumOs: change.minimum_os,
        }
  })
}

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
