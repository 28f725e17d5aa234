import type { Deps } from '../../../deps.ts'
import { addReports, listReachedLimits, type ReportCount } from './rollout-report.db.ts'
import type { ReceivedReport } from './rollout-report.ts'
import { stopByRule } from './stop-by-rule.ts'

/** Stops must take effect within a second, of which the feeds need almost half. */
const flushMs = 200
const retryMs = 2_000

type ReportDeps = Pick<Deps, 'db' | 'log' | 'clock' | 'config'>

export type ReportCounts = ReturnType<typeof createReportCounts>

/**
 * Creates the reports that this process has received and not saved yet. Saving them is also what applies the rules that
 * stop rollouts, so a rollout stops on the node that saves the report with which the limit is reached.
 */
export function createReportCounts(deps: ReportDeps) {
  const { db, log } = deps
  let pending = new Map<string, ReportCount>()
  /** The reports that were saved, but whose rules could not be applied. */
  let unchecked: ReportCount[] = []
  let timer: NodeJS.Timeout | undefined
  let saving = Promise.resolve()
  let isClosed = false

  function add({ channelId, version, platform, outcome }: ReceivedReport): void {
    countIn(pending, { channel_id: channelId, version, platform, installed: 0, failed: 0, [outcome]: 1 })
    schedule(flushMs)
  }

  function schedule(delayMs: number): void {
    if (isClosed) return
    timer ??= setTimeout(() => {
      timer = undefined
      saving = saving.then(save)
    }, delayMs).unref()
  }

  async function save(): Promise<void> {
    const taken = pending
    pending = new Map()
    try {
      if (taken.size > 0) await addReports(db, [...taken.values()])
    } catch (error) {
      log.debug({ err: error }, 'cannot save reports of updates')
      for (const row of taken.values()) countIn(pending, row)
      return schedule(retryMs)
    }
    await applyRules([...unchecked, ...taken.values()])
  }

  async function applyRules(reports: ReportCount[]): Promise<void> {
    unchecked = []
    try {
      for (const reached of reports.length === 0 ? [] : await listReachedLimits(db, reports))
        await stopByRule(deps, reached)
    } catch (error) {
      log.warn({ err: error }, 'cannot apply the stop rules of rollouts')
      unchecked = reports
      schedule(retryMs)
    }
  }

  return {
    add,
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await saving
      await save()
    },
  }
}

function countIn(counts: Map<string, ReportCount>, row: ReportCount): void {
  const key = JSON.stringify([row.channel_id, row.version, row.platform])
  const known = counts.get(key)
  if (known === undefined) counts.set(key, row)
  else {
    known.installed += row.installed
    known.failed += row.failed
  }
}
