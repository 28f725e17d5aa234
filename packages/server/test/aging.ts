import { sql } from 'kysely'
import type { Service } from './harness.ts'

/** Lets a build be as old as that; with `inTrashDays` it went to the trash that long ago. */
export async function ageBuild(
  { deps }: Service,
  id: string,
  { days, inTrashDays }: { days?: number; inTrashDays?: number },
): Promise<void> {
  const ago = (count: number) => sql<string>`now() - make_interval(secs => ${count * 24 * 60 * 60}::float8)`
  await deps.db
    .updateTable('builds')
    .set({
      ...(days === undefined ? {} : { created_at: ago(days) }),
      ...(inTrashDays === undefined ? {} : { deleted_at: ago(inTrashDays) }),
    })
    .where('id', '=', id)
    .execute()
}
