import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { shortId } from '../../lib/ids.ts'

/** The person of this address, made with the name where there is none; also when two come at once. */
export async function insertMissingUser(tx: Tx, { name, email }: { name: string; email: string }) {
  await tx
    .insertInto('users')
    .values({ id: shortId(10), name, email, email_verified: true })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .execute()
  return tx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'profile_photo_url'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirstOrThrow()
}
