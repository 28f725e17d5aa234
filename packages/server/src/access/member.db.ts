import { sql, type RawBuilder } from 'kysely'
import { containsPattern } from '../database/expressions.ts'
import type { Tx } from '../database/transaction.ts'

/** A person in a workspace. `userId` is null for API keys. */
export type MemberRef = { workspaceId: string; userId: string | null }

/** Makes concurrent changes of what belongs to the member wait for each other. Returns whether the member exists. */
export async function lockMember(tx: Tx, { workspaceId, userId }: MemberRef): Promise<boolean> {
  const row = await tx
    .selectFrom('workspace_members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Selects whether the workspace member with the alias `m` can access the application with the ID. */
export const selectMemberReaches = (applicationId: RawBuilder<unknown>) =>
  // A scalar subquery, because PostgreSQL would join `exists` with the roles in all applications.
  sql<boolean>`((select effective.role from effective_application_roles effective
    where effective.application_id = ${applicationId} and effective.workspace_id = m.workspace_id
      and effective.user_id = m.user_id) is not null)`

/** Selects whether the name or the email address of a person in `workspace_members` and `users` contains the text. */
export const selectMatchesPerson = (search: string) => {
  const pattern = containsPattern(search)
  return sql<boolean>`(workspace_members.name ilike ${pattern} or users.email ilike ${pattern})`
}
