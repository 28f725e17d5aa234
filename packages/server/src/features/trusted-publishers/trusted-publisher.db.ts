import { sql, type Insertable, type Updateable } from 'kysely'
import { requireApplication } from '../../access/application.db.ts'
import type { Database } from '../../database/tables.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
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
  'trusted_publishers.created_by',
  'trusted_publishers.expires_at',
  'trusted_publishers.created_at',
  'trusted_publishers.updated_at',
] as const

const selectRules = (db: Executor) => db.selectFrom('trusted_publishers').select(columns)

export type TrustedPublisherRow = Awaited<
  ReturnType<ReturnType<typeof selectRules>['executeTakeFirstOrThrow']>
>

export async function listRulesOfApplication(db: Executor, applicationId: string) {
  return selectRules(db)
    .where('application_id', '=', applicationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function findTrustedPublisher(
  db: Executor,
  applicationId: string,
  id: string,
): Promise<TrustedPublisherRow | undefined> {
  return selectRules(db)
    .where('application_id', '=', applicationId)
    .where(sql`trusted_publishers.id::text`, '=', id)
    .executeTakeFirst()
}

export async function requireTrustedPublisher(
  db: Executor,
  applicationId: string,
  id: string,
): Promise<TrustedPublisherRow> {
  const row = await findTrustedPublisher(db, applicationId, id)
  if (row === undefined) throw notFound()
  return row
}

/** Loads the application and the trusted publisher that the path identifies; throws 404 if either does not exist. */
export async function requireTrustedPublisherOfPath(call: {
  db: Executor
  actor: Actor
  params: { application_id: string; trusted_publisher_id: string }
}) {
  const { db, actor, params } = call
  const application = await requireApplication(db, actor, params.application_id)
  const publisher = await requireTrustedPublisher(db, application.id, params.trusted_publisher_id)
  return { application, publisher }
}

/** Selects an issuer's unexpired rules in one or all applications, except applications in the trash. */
function selectUsableRules(db: Executor, issuer: string, applicationId: string | undefined) {
  const query = selectRules(db)
    .innerJoin('applications', 'applications.id', 'trusted_publishers.application_id')
    .where('trusted_publishers.issuer', '=', issuer)
    .where('applications.deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('trusted_publishers.expires_at', 'is', null),
        eb('trusted_publishers.expires_at', '>', eb.fn<string>('now')),
      ]),
    )
  return applicationId === undefined
    ? query
    : query.where('trusted_publishers.application_id', '=', applicationId)
}

/** Returns whether any rule trusts the issuer. Loads no rules, because the token is not verified at this point. */
export async function isTrustedIssuer(
  db: Executor,
  issuer: string,
  applicationId: string | undefined,
): Promise<boolean> {
  const rule = await selectUsableRules(db, issuer, applicationId)
    .clearSelect()
    .select('trusted_publishers.id')
    .limit(1)
    .executeTakeFirst()
  return rule !== undefined
}

/** Lists the application's rules for an issuer, of which there are at most `maxRules`. */
export async function listRulesOfIssuer(
  db: Executor,
  issuer: string,
  applicationId: string,
): Promise<TrustedPublisherRow[]> {
  return selectUsableRules(db, issuer, applicationId)
    .orderBy('trusted_publishers.created_at')
    .orderBy('trusted_publishers.id')
    .execute()
}

/**
 * Lists up to `limit` rules, across all applications, for an issuer and any of the audiences, starting after the given
 * rule.
 */
export async function listRulesOfAudiences(
  db: Executor,
  { issuer, audiences }: { issuer: string; audiences: string[] },
  after: { application_id: string; id: string } | undefined,
  limit: number,
): Promise<TrustedPublisherRow[]> {
  let query = selectUsableRules(db, issuer, undefined).where((eb) =>
    eb('trusted_publishers.audience', '=', eb.fn.any(eb.val(audiences))),
  )
  if (after !== undefined)
    query = query.where(
      sql<boolean>`(trusted_publishers.application_id, trusted_publishers.id) > (${after.application_id}, ${after.id})`,
    )
  // Sorts in index order, so that only `limit` rows are read even if an issuer has a million rules.
  return query
    .orderBy('trusted_publishers.application_id')
    .orderBy('trusted_publishers.id')
    .limit(limit)
    .execute()
}

export async function insertTrustedPublisher(
  tx: Tx,
  row: Insertable<Database['trusted_publishers']>,
): Promise<void> {
  await tx.insertInto('trusted_publishers').values(row).execute()
}

export async function saveTrustedPublisher(
  tx: Tx,
  id: string,
  changes: Updateable<Database['trusted_publishers']>,
): Promise<void> {
  await tx.updateTable('trusted_publishers').set(changes).where('id', '=', id).execute()
}

export async function removeTrustedPublisher(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('trusted_publishers').where('id', '=', id).execute()
}
