import { sql, type Insertable, type Updateable } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import { notFound } from '../../lib/problem.ts'

const columns = [
  'trusted_publishers.id',
  'trusted_publishers.workspace_id',
  'trusted_publishers.application_id',
  'trusted_publishers.name',
  'trusted_publishers.issuer',
  'trusted_publishers.audience',
  'trusted_publishers.claims',
  'trusted_publishers.scopes',
  'trusted_publishers.created_at',
  'trusted_publishers.updated_at',
] as const

const selectRules = (db: Executor) => db.selectFrom('trusted_publishers').select(columns)

export type TrustedPublisherRow = Awaited<
  ReturnType<ReturnType<typeof selectRules>['executeTakeFirstOrThrow']>
>

export async function listTrustedPublisherRows(db: Executor, applicationId: string) {
  return selectRules(db)
    .where('application_id', '=', applicationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function requireTrustedPublisher(
  db: Executor,
  applicationId: string,
  id: string,
): Promise<TrustedPublisherRow> {
  const row = await selectRules(db)
    .where('application_id', '=', applicationId)
    .where(sql`trusted_publishers.id::text`, '=', id)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

/** Rules of living applications for an issuer, at most `most`; of one application where it is given. */
export async function listRulesOfIssuer(
  db: Executor,
  { issuer, applicationId, most }: { issuer: string; applicationId: string | undefined; most: number },
): Promise<TrustedPublisherRow[]> {
  let query = selectRules(db)
    .innerJoin('applications', 'applications.id', 'trusted_publishers.application_id')
    .where('trusted_publishers.issuer', '=', issuer)
    .where('applications.deleted_at', 'is', null)
  if (applicationId !== undefined)
    query = query.where('trusted_publishers.application_id', '=', applicationId)
  // by application first, as the index has them: of a million rules for one issuer only so many are read
  return query
    .orderBy('trusted_publishers.application_id')
    .orderBy('trusted_publishers.created_at')
    .orderBy('trusted_publishers.id')
    .limit(most)
    .execute()
}

export async function insertTrustedPublisher(
  tx: Tx,
  row: Insertable<Database['trusted_publishers']>,
): Promise<void> {
  await tx.insertInto('trusted_publishers').values(row).execute()
}

export async function updateTrustedPublisherRow(
  tx: Tx,
  id: string,
  changes: Updateable<Database['trusted_publishers']>,
): Promise<void> {
  await tx.updateTable('trusted_publishers').set(changes).where('id', '=', id).execute()
}

export async function deleteTrustedPublisherRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('trusted_publishers').where('id', '=', id).execute()
}
