import type { Executor } from '../../database/transaction.ts'
import { notFound } from '../../lib/problem.ts'

/** Returns what download pages show of an application; throws 404 if it is in the trash. */
export async function requireApplicationOfPage(db: Executor, id: string) {
  return db
    .selectFrom('applications')
    .innerJoin('workspaces', 'workspaces.id', 'applications.workspace_id')
    .select(['applications.name', 'applications.icon_object_key', 'workspaces.name as workspace_name'])
    .where('applications.id', '=', id)
    .where('applications.deleted_at', 'is', null)
    .executeTakeFirstOrThrow(notFound)
}

export type ApplicationOfPage = Awaited<ReturnType<typeof requireApplicationOfPage>>
