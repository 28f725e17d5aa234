import type { SelectQueryBuilder } from 'kysely'
import { selectIsReachable } from '../../access/application.db.ts'
import { lockMember } from '../../access/member.db.ts'
import { asUuid } from '../../database/expressions.ts'
import type { Database } from '../../database/tables.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { notFound } from '../../lib/problem.ts'
import { maxRules, tooManyRules, type NotificationRuleRow, type RuleFields } from './notification-rule.ts'

const columns = [
  'notification_rules.id',
  'kind',
  'notification_rules.application_id',
  'stream',
  'platform',
  'label',
  'own_only',
  'sends_email',
  'sends_chat',
  'notification_rules.created_at',
  'notification_rules.updated_at',
] as const

/** Selects the rules of the person, except those of applications that the person cannot access. */
function selectRules(
  db: Executor,
  actor: Actor,
): SelectQueryBuilder<Database, 'notification_rules', NotificationRuleRow> {
  return db
    .selectFrom('notification_rules')
    .select(columns)
    .$castTo<NotificationRuleRow>()
    .where('workspace_id', '=', actor.workspaceId)
    .where('user_id', '=', actor.userId)
    .where((eb) =>
      eb.or([
        eb('application_id', 'is', null),
        eb.exists(
          eb
            .selectFrom('applications')
            .select('applications.id')
            .whereRef('applications.id', '=', 'notification_rules.application_id')
            .where('applications.deleted_at', 'is', null)
            .where(selectIsReachable(actor, 'applications.id')),
        ),
      ]),
    )
}

export const listRules = (db: Executor, actor: Actor): Promise<NotificationRuleRow[]> =>
  selectRules(db, actor).orderBy('created_at').orderBy('kind').orderBy('id').execute()

const requireRule = (db: Executor, actor: Actor, id: string): Promise<NotificationRuleRow> =>
  selectRules(db, actor).where('id', '=', asUuid(id)).executeTakeFirstOrThrow(notFound)

/** Loads the rule that the path identifies; throws 404 if the person has no such rule. */
export async function requireRuleOfPath({
  db,
  actor,
  params,
}: {
  db: Db
  actor: Actor
  params: { notification_rule_id: string }
}) {
  return { rule: await requireRule(db, actor, params.notification_rule_id) }
}

/** Throws a conflict if the person has as many rules as allowed. Other changes of the person's rules wait. */
export async function requireRoomForRule(tx: Tx, actor: Actor): Promise<void> {
  if (!(await lockMember(tx, actor))) throw notFound()
  const { count } = await tx
    .selectFrom('notification_rules')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', actor.workspaceId)
    .where('user_id', '=', actor.userId)
    .executeTakeFirstOrThrow()
  if (count >= maxRules) throw tooManyRules()
}

export async function insertRule(
  tx: Tx,
  { workspaceId, userId }: Actor,
  rule: RuleFields,
): Promise<NotificationRuleRow> {
  return tx
    .insertInto('notification_rules')
    .values({ workspace_id: workspaceId, user_id: userId ?? '', ...rule })
    .returning(columns)
    .$castTo<NotificationRuleRow>()
    .executeTakeFirstOrThrow()
}

/** Locks the rule until the end of the transaction and returns it; throws 404 if it was deleted. */
export async function requireLockedRule(tx: Tx, actor: Actor, id: string): Promise<NotificationRuleRow> {
  return selectRules(tx, actor)
    .where('id', '=', id)
    .forUpdate('notification_rules')
    .executeTakeFirstOrThrow(notFound)
}

export async function saveRule(tx: Tx, id: string, rule: RuleFields): Promise<NotificationRuleRow> {
  return tx
    .updateTable('notification_rules')
    .set(rule)
    .where('id', '=', id)
    .returning(columns)
    .$castTo<NotificationRuleRow>()
    .executeTakeFirstOrThrow(notFound)
}

export async function removeRule(db: Executor, id: string): Promise<void> {
  await db.deleteFrom('notification_rules').where('id', '=', id).execute()
}
