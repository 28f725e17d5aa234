import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { readClock } from '../../../database/health.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { readFutureTime } from '../../../http/endpoint/future-time.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { invalid } from '../../../http/endpoint/validation.ts'
import { problem } from '../../../lib/problem.ts'
import { formatVersion, parseVersion, type Version } from '../../../lib/semver.ts'
import { requireChannelOfPath, requireLockedChannel, saveChannel } from '../channel.db.ts'
import { ChannelParams } from '../channel.ts'
import { publishesVersion } from '../feeds/publication.db.ts'
import { deleteReports, listReports } from './rollout-report.db.ts'
import { isAvailable, offeredToEveryone, percentageAt, type RolloutRules } from './rollout-rules.ts'
import { columnsOf, countRollouts, findRolloutRow, rulesOf, saveRollout } from './rollout.db.ts'
import { Rollout, rolloutAuditSnapshot, RolloutChanges, rolloutResource, type StopWhen } from './rollout.ts'

const maxRollouts = 10_000

const isPaused = problem(
  'conflict',
  'rollout.paused',
  'The rollout of {version} is {state}, so its percentage cannot grow. Set `state` to "active" to continue it.',
)

const tooManyRollouts = problem(
  'conflict',
  'rollout.too_many',
  'A channel can have rollouts for at most {max} versions. Create another channel.',
)

export const updateRollout = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/channels/:channel_id/rollout',
  scope: { workspace: 'releases:write', application: 'releases:write' },
  summary: 'Update a rollout',
  description:
    'Changes only the given fields of how the channel offers a version. A version without a rollout is offered to everyone, so set the percentage before you publish it. Every node and format follows within a second.',
  params: ChannelParams,
  body: RolloutChanges,
  refuses: [isPaused, tooManyRollouts],
  returns: one(Rollout),
  load: requireChannelOfPath,
  async handle({ application, channel, body, ...call }) {
    const { id } = channel
    const version = formatVersion(readVersion(body.version))
    const now = await readClock(call.db)
    const row = await inTransaction(call.db, async (tx) => {
      await requireLockedChannel(tx, application.id, id)
      const existing = await findRolloutRow(tx, id, version)
      if (existing === undefined && (await countRollouts(tx, id)) >= maxRollouts)
        throw tooManyRollouts({ max: maxRollouts })
      const before = existing === undefined ? offeredToEveryone : rulesOf(existing)
      const after = changed(before, body, { version, now })
      if (existing !== undefined && isSame(before, after)) return existing
      // Reports count from the beginning of a rollout, which also begins when a stopped version is offered again.
      if (existing === undefined || (!isAvailable(before) && isAvailable(after)))
        await deleteReports(tx, id, version)
      const saved = await saveRollout(tx, { channel_id: id, version }, columnsOf(after))
      await saveChannel(tx, id)
      await recordEvent(tx, call, {
        action: 'rollout.changed',
        applicationId: application.id,
        subject: { type: 'rollout', id },
        before: rolloutAuditSnapshot(version, before, now),
        after: rolloutAuditSnapshot(version, rulesOf(saved), now),
      })
      return saved
    })
    const isPublished = await publishesVersion(call.db, channel, version)
    const reports = (await listReports(call.db, id, version)).get(version)
    const data = rolloutResource(version, rulesOf(row), { isPublished, nowMs: now.getTime(), reports })
    return { message: 'Rollout updated.', data }
  },
})

function readVersion(text: string): Version {
  const version = parseVersion(text)
  if (version === undefined) throw invalid({ version: ['must be a version such as 2.1.0 or 2.1.0-beta.1.'] })
  return version
}

function changed(
  before: RolloutRules,
  body: Static<typeof RolloutChanges>,
  { version, now }: { version: string; now: Date },
): RolloutRules {
  const nowMs = now.getTime()
  const state = body.state ?? before.state
  const current = percentageAt(before, nowMs)
  const percentage = body.percentage ?? current
  const canGrow = state === 'active'
  if (!canGrow && (percentage > current || typeof body.complete_at === 'string'))
    throw isPaused({ version, state: state.replace('_', ' ') })
  const completeAt = !canGrow || body.complete_at === null ? null : body.complete_at
  const completeAtMs =
    completeAt === null
      ? null
      : completeAt === undefined
        ? remainingGrowth(before, body, nowMs)
        : Date.parse(readFutureTime('complete_at', completeAt, now))
  const growsAsBefore =
    body.percentage === undefined && state === before.state && completeAtMs === before.completeAtMs
  return {
    state,
    percentage: growsAsBefore ? before.percentage : percentage,
    changedAtMs: growsAsBefore ? before.changedAtMs : nowMs,
    completeAtMs,
    cohorts: body.cohorts?.map((cohort) => cohort.trim()) ?? before.cohorts,
    isCritical: body.is_critical ?? before.isCritical,
    isRequired: body.is_required ?? before.isRequired,
    minimumOs: (body.minimum_os as Record<string, string> | undefined) ?? before.minimumOs,
    stopWhen: body.stop_when === undefined ? before.stopWhen : ruleOf(body.stop_when),
    stoppedByRule: state === before.state ? before.stoppedByRule : null,
  }
}

/** Returns when the growth ends that continues. A percentage set after its end would otherwise be 100 at once. */
const remainingGrowth = (
  { completeAtMs }: RolloutRules,
  { percentage }: Static<typeof RolloutChanges>,
  nowMs: number,
): number | null =>
  percentage !== undefined && completeAtMs !== null && completeAtMs <= nowMs ? null : completeAtMs

const ruleOf = (rule: Static<typeof StopWhen> | null): RolloutRules['stopWhen'] =>
  rule && { failuresPercent: rule.failures_percent, minimumReports: rule.minimum_reports }

/** Returns whether the rules offer the version to the same clients, now and later. */
const isSame = (before: RolloutRules, after: RolloutRules): boolean =>
  isDeepStrictEqual({ ...before, changedAtMs: 0 }, { ...after, changedAtMs: 0 })
