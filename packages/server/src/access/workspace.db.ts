import type { Executor } from '../database/transaction.ts'
import { notFound } from '../lib/problem.ts'

export async function requireWorkspace(db: Executor, id: string) {
  const row = await db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}
