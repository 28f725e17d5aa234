import type { Executor } from '../database/transaction.ts'
import { notFound } from '../lib/problem.ts'

export async function requireWorkspace(db: Executor, id: string) {
  return db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirstOrThrow(notFound)
}
