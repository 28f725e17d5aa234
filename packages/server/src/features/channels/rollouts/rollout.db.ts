import { sql, type Insertable } from 'kysely'
import type { Database } from '../../../database/tables.ts'
import type { Executor, Tx } from '../../../database/transaction.ts'
import { isoMicroseconds } from '../../../lib/time.ts'
import type { RolloutRules, RolloutState } from './rollout-rules.ts'

const columns = [
  'version',
  'state',
  'percentage',
  'changed_at',
  'complete_at',
  'cohorts',
  'is_critical',
  'is_required',
  sql<Record<string, string>>`minimum_os`.as('minimum_os'),
  'stop_failures_percent',
  'stop_minimum_reports',
  'rule_stopped_at',
  'rule_stopped_reports',
  'rule_stopped_failures',
] as const

const selectRollouts = (db: Executor, channelId: string) =>
  db.selectFrom('rollouts').select(columns).where('channel_id', '=', channelId)

type RolloutRow = Awaited<ReturnType<ReturnType<typeof selectRollouts>['executeTakeFirstOrThrow']>>

export const rulesOf = (row: RolloutRow): RolloutRules => ({
  state: row.state as RolloutState,
  percentage: row.percentage,
  changedAtMs: Date.parse(row.changed_at),
  completeAtMs: row.complete_at === null ? null : Date.parse(row.complete_at),
  cohorts: row.cohorts,
  isCritical: row.is_critical,
  isRequired: row.is_required,
  minimumOs: row.minimum_os,
  stopWhen:
    row.stop_failures_percent === null || row.stop_minimum_reports === null
      ? null
      : { failuresPercent: row.stop_failures_percent, minimumReports: row.stop_minimum_reports },
  stoppedByRule:
    row.rule_stopped_at === null
      ? null
      : {
          atMs: Date.parse(row.rule_stopped_at),
          reports: row.rule_stopped_reports ?? 0,
          failures: row.rule_stopped_failures ?? 0,
        },
})

/** Returns the columns that contain the rules. */
export const columnsOf = (rules: RolloutRules) => ({
  state: rules.state,
  percentage: rules.percentage,
  changed_at: timeOf(rules.changedAtMs),
  complete_at: rules.completeAtMs === null ? null : timeOf(rules.completeAtMs),
  cohorts: [...rules.cohorts],
  is_critical: rules.isCritical,
  is_required: rules.isRequired,
  minimum_os: JSON.stringify(rules.minimumOs),
  stop_failures_percent: rules.stopWhen?.failuresPercent ?? null,
  stop_minimum_reports: rules.stopWhen?.minimumReports ?? null,
  rule_stopped_at: rules.stoppedByRule === null ? null : timeOf(rules.stoppedByRule.atMs),
  rule_stopped_reports: rules.stoppedByRule?.reports ?? null,
  rule_stopped_failures: rules.stoppedByRule?.failures ?? null,
})

const timeOf = (ms: number): string => isoMicroseconds(new Date(ms))

/** Lists the rollouts of a channel by version. */
export async function listRolloutRules(
  db: Executor,
  channelId: string,
): Promise<ReadonlyMap<string, RolloutRules>> {
  const rows = await selectRollouts(db, channelId).execute()
  return new Map(rows.map((row) => [row.version, rulesOf(row)]))
}

export async function findRolloutRow(
  db: Executor,
  channelId: string,
  version: string,
): Promise<RolloutRow | undefined> {
  return selectRollouts(db, channelId).where('version', '=', version).executeTakeFirst()
}

export async function countRollouts(db: Executor, channelId: string): Promise<number> {
  const { count } = await db
    .selectFrom('rollouts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow()
  return count
}

/** Inserts the rollout of a version, or replaces all of its settings. */
export async function saveRollout(
  tx: Tx,
  key: { channel_id: string; version: string },
  settings: Omit<Insertable<Database['rollouts']>, 'channel_id' | 'version'>,
): Promise<RolloutRow> {
  return tx
    .insertInto('rollouts')
    .values({ ...key, ...settings })
    .onConflict((conflict) => conflict.columns(['channel_id', 'version']).doUpdateSet(settings))
    .returning(columns)
    .executeTakeFirstOrThrow()
}
