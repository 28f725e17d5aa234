import { sql, type Insertable } from 'kysely'
import type { Database } from '../../../database/tables.ts'
import type { Executor, Tx } from '../../../database/transaction.ts'

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
  'updated_at',
] as const

export async function listRolloutRows(db: Executor, channelId: string) {
  return db.selectFrom('rollouts').select(columns).where('channel_id', '=', channelId).execute()
}

export type RolloutRow = Awaited<ReturnType<typeof listRolloutRows>>[number]

export async function findRolloutRow(
  db: Executor,
  channelId: string,
  version: string,
): Promise<RolloutRow | undefined> {
  return db
    .selectFrom('rollouts')
    .select(columns)
    .where('channel_id', '=', channelId)
    .where('version', '=', version)
    .executeTakeFirst()
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
