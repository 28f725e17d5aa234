import { sql } from 'kysely'
import type { Executor, Tx } from '../../../database/transaction.ts'
import type { ReportTotals } from './stop-rule.ts'

export type ReportCount = {
  channel_id: string
  version: string
  platform: string
  installed: number
  failed: number
}

/** Adds reports in one statement, in the same order on every node. Those of deleted channels are dropped. */
export async function addReports(db: Executor, reports: readonly ReportCount[]): Promise<void> {
  await sql`
    insert into rollout_reports (channel_id, version, platform, installed, failed)
    select channel_id, version, platform, installed, failed
    from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) as reported(channel_id text, version text, platform text,
      installed bigint, failed bigint)
    where exists (select from channels where id = channel_id)
    order by 1, 2, 3
    on conflict (channel_id, version, platform) do update set
      installed = rollout_reports.installed + excluded.installed,
      failed = rollout_reports.failed + excluded.failed`.execute(db)
}

export type ReachedLimit = {
  channel_id: string
  version: string
  application_id: string
  workspace_id: string
}

/** Lists the rollouts among those of the reports that their stop rule may have to stop. */
export async function listReachedLimits(
  db: Executor,
  reports: readonly Pick<ReportCount, 'channel_id' | 'version'>[],
): Promise<ReachedLimit[]> {
  const keys = reports.map(({ channel_id, version }) => ({ channel_id, version }))
  const { rows } = await sql<ReachedLimit>`
    select rollouts.channel_id, rollouts.version, channels.application_id, channels.workspace_id
    from rollouts join channels on channels.id = rollouts.channel_id
    cross join lateral (
      select coalesce(sum(installed), 0) + coalesce(sum(failed), 0) as total, coalesce(sum(failed), 0) as failed
      from rollout_reports
      where rollout_reports.channel_id = rollouts.channel_id and rollout_reports.version = rollouts.version
    ) as reports
    where (rollouts.channel_id, rollouts.version) in (
        select channel_id, version from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
          as reported(channel_id text, version text))
      and rollouts.state in ('active', 'paused') and reports.total >= rollouts.stop_minimum_reports
      and reports.failed * 100 >= rollouts.stop_failures_percent * reports.total`.execute(db)
  return rows
}

export type PlatformReports = ReportTotals & { platform: string }

/** Lists the reports of the versions of a channel, or of one version, by version and platform. */
export async function listReports(
  db: Executor,
  channelId: string,
  version?: string,
): Promise<Map<string, PlatformReports[]>> {
  const rows = await db
    .selectFrom('rollout_reports')
    .select(['version', 'platform', 'installed', 'failed'])
    .where('channel_id', '=', channelId)
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? ''))
    .orderBy('platform')
    .execute()
  return Map.groupBy(rows, (row) => row.version)
}

/** Deletes the reports of a version, so that only later ones count. */
export async function deleteReports(tx: Tx, channelId: string, version: string): Promise<void> {
  await tx
    .deleteFrom('rollout_reports')
    .where('channel_id', '=', channelId)
    .where('version', '=', version)
    .execute()
}
