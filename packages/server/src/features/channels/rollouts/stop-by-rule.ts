import { inTransaction } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent, type Initiator } from '../../../events/record-event.ts'
import { Problem } from '../../../lib/problem.ts'
import { requireLockedChannel, saveChannel } from '../channel.db.ts'
import { channelResource } from '../channel.ts'
import { publishesVersion } from '../feeds/publication.db.ts'
import { listReports, type ReachedLimit } from './rollout-report.db.ts'
import { isAvailable, percentageAt, type RolloutRules } from './rollout-rules.ts'
import { columnsOf, findRolloutRow, rulesOf, saveRollout } from './rollout.db.ts'
import { rolloutAuditSnapshot, rolloutResource } from './rollout.ts'
import { isLimitReached, sumReports } from './stop-rule.ts'

const by = (workspaceId: string): Initiator => ({
  actor: { via: 'system', id: null, name: 'Stop rule', workspaceId },
  address: null,
})

/**
 * Stops a rollout whose reports have reached the limit of its rule, unless another node has stopped it or somebody has
 * changed it since.
 */
export async function stopByRule(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  reached: ReachedLimit,
): Promise<void> {
  const { channel_id: id, application_id, version } = reached
  const now = clock.now()
  try {
    await inTransaction(db, async (tx) => {
      const channel = await requireLockedChannel(tx, application_id, id)
      const row = await findRolloutRow(tx, id, version)
      if (row === undefined) return
      const before = rulesOf(row)
      const reports = (await listReports(tx, id, version)).get(version)
      const totals = sumReports(reports)
      if (before.stopWhen === null || !isAvailable(before) || !isLimitReached(before.stopWhen, totals)) return
      const after: RolloutRules = {
        ...before,
        state: 'stopped',
        percentage: percentageAt(before, now.getTime()),
        changedAtMs: now.getTime(),
        completeAtMs: null,
        stoppedByRule: {
          atMs: now.getTime(),
          reports: totals.installed + totals.failed,
          failures: totals.failed,
        },
      }
      await saveRollout(tx, { channel_id: id, version }, columnsOf(after))
      await saveChannel(tx, id)
      const isPublished = await publishesVersion(tx, channel, version)
      const rollout = rolloutResource(version, after, { isPublished, nowMs: now.getTime(), reports })
      await recordEvent(tx, by(reached.workspace_id), {
        action: 'rollout.stopped',
        applicationId: application_id,
        subject: { type: 'rollout', id },
        before: rolloutAuditSnapshot(version, before, now),
        after: rolloutAuditSnapshot(version, after, now),
        events: [
          { name: 'rollout.stopped', data: { rollout, channel: channelResource(channel, { config }) } },
        ],
      })
    })
  } catch (error) {
    // The channel was deleted since.
    if (!(error instanceof Problem && error.kind === 'not_found')) throw error
  }
}
