import { sql } from 'kysely'
import type { Executor, Tx } from '../database/transaction.ts'
import { uuidV7 } from '../lib/ids.ts'

/** Sets the password of a user, and replaces an existing one. */
export async function savePassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx
    .insertInto('accounts')
    .values(passwordAccount(userId, passwordHash))
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password: passwordHash }),
    )
    .execute()
}

/** Sets the password of a user who has none; `accounts_provider_id_account_id_key` is violated if the user has one. */
export async function insertPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.insertInto('accounts').values(passwordAccount(userId, passwordHash)).execute()
}

/** Returns whether this is the hash of somebody's current password. Salts make hashes unique. */
export async function isCurrentPassword(db: Executor, passwordHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('password', '=', passwordHash)
    .executeTakeFirst()
  return row !== undefined
}

const passwordAccount = (userId: string, passwordHash: string) => ({
  id: uuidV7(),
  user_id: userId,
  provider_id: 'credential',
  account_id: userId,
  password: passwordHash,
})

/** Returns whether the user with this email address has a password, a passkey or a single sign-on account. */
export async function hasSignInMethod(db: Executor, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .where(
      sql<boolean>`(exists (select from accounts where user_id = users.id)
        or exists (select from passkeys where user_id = users.id))`,
    )
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes every sign-in method of the user and ends all sessions. */
export async function deleteSignInMethods(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('accounts').where('user_id', '=', userId).execute()
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await tx.deleteFrom('two_factors').where('user_id', '=', userId).execute()
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/** Returns the user who can receive a sign-in link: one who belongs to a workspace, with the oldest membership. */
export async function findMailRecipient(db: Executor, email: string) {
  return db
    .selectFrom('users')
    .innerJoin('workspace_members', 'workspace_members.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.two_factor_enabled', 'workspace_members.workspace_id'])
    .where('users.email', '=', email.toLowerCase())
    .orderBy('workspace_members.added_at')
    .limit(1)
    .executeTakeFirst()
}

/** Returns whether the user belongs to a workspace, and whether a second factor is required to sign in. */
export async function findSignInState(db: Executor, userId: string) {
  return db
    .selectFrom('users')
    .select([
      'email',
      'name',
      'email_verified',
      'two_factor_enabled',
      sql<boolean>`exists (select from workspace_members where user_id = users.id)`.as('is_member'),
    ])
    .where('id', '=', userId)
    .executeTakeFirst()
}
