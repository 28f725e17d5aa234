import type { Executor } from '../../../database/transaction.ts'

/** Finds the checksums of the blocks of a file. */
export async function findBlockSums(db: Executor, fileId: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('file_block_sums')
    .select('sums')
    .where('file_id', '=', fileId)
    .executeTakeFirst()
  return row?.sums
}

/** Saves the checksums of the blocks of a file. Another node may have saved them, or the file may have been deleted. */
export async function saveBlockSums(db: Executor, fileId: string, sums: Buffer): Promise<void> {
  await db
    .insertInto('file_block_sums')
    .columns(['file_id', 'sums'])
    .expression((eb) =>
      eb
        .selectFrom('files')
        .select(['files.id', eb.val(sums).as('sums')])
        .where('files.id', '=', fileId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
