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
