import { createHash } from 'node:crypto'
import { inTransaction, type Db, type Executor, type Tx } from '../database/transaction.ts'

/** A secret with the number that better-auth stores with the values that it encrypts. */
export type VersionedSecret = { version: number; value: string }

/** Returns the secrets for better-auth. The number of a secret depends only on the secret, so all nodes use the same. */
export const versionSecrets = (secrets: readonly string[]): VersionedSecret[] =>
  secrets.map((value) => ({ version: createHash('sha256').update(value).digest().readUInt32BE(0), value }))

/**
 * Re-encrypts the second factors that were encrypted with another secret; `secrets` starts with the current one. Returns
 * the number of second factors updated.
 */
export async function resealTwoFactors(db: Db, secrets: readonly string[]): Promise<number> {
  const versions = versionSecrets(secrets)
  const { version: currentVersion = 0 } = versions[0] ?? {}
  const rows = await db
    .selectFrom('two_factors')
    .select('id')
    .where('secret', 'not like', `$ba$${currentVersion}$%`)
    .execute()
  if (rows.length === 0) return 0
  const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto')
  const keys = new Map(versions.map(({ version, value }) => [version, value]))
  const key = { keys, currentVersion }
  const reseal = async (data: string) =>
    symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) })
  for (const { id } of rows)
    await inTransaction(db, async (tx) => {
      const row = await findLockedTwoFactor(tx, id)
      if (row === undefined) return
      await tx
        .updateTable('two_factors')
        .set({ secret: await reseal(row.secret), backup_codes: await reseal(row.backup_codes) })
        .where('id', '=', id)
        .execute()
    })
  return rows.length
}

async function findLockedTwoFactor(tx: Tx, id: string) {
  return tx
    .selectFrom('two_factors')
    .select(['secret', 'backup_codes'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Deletes the second factors that cannot be decrypted with the secret. Returns the IDs of their users. */
export async function deleteUnreadableTwoFactors(tx: Tx, secret: string): Promise<string[]> {
  const [{ version } = { version: 0 }] = versionSecrets([secret])
  const rows = await tx
    .deleteFrom('two_factors')
    .where('secret', 'not like', `$ba$${version}$%`)
    .returning('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Returns the encrypted secret of the user's authenticator app. */
export async function findTwoFactorSecret(db: Executor, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('two_factors')
    .select('secret')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.secret
}

/** Claims the code of a step; returns false if the code of this or a later step has been claimed before. */
export async function claimCodeStep(db: Executor, userId: string, step: number): Promise<boolean> {
  const result = await db
    .updateTable('two_factors')
    .set({ last_used_step: step })
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('last_used_step', 'is', null), eb('last_used_step', '<', step)]))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
