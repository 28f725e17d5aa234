import { sql } from 'kysely'
import { findBuildIncludingTrashed } from '../src/features/builds/build.db.ts'
import { purgeOverdueBuilds } from '../src/features/builds/purge-builds.job.ts'
import type { Service as WholeService } from './harness.ts'
import { until } from './until.ts'

type Service = Pick<WholeService, 'deps'>

/** Backdates the creation of a build by `days` and its deletion by `inTrashDays`. */
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

/** Purges a build as the job does when its time in the trash has ended. */
export async function purgeBuild(service: Service, id: string): Promise<void> {
  const { deps } = service
  await ageBuild(service, id, { inTrashDays: deps.config.trashDays + 1 })
  // A run skips builds that a job has locked, such as one that stores their checksums.
  await until('the purge', async () => {
    await purgeOverdueBuilds(deps)
    return (await findBuildIncludingTrashed(deps.db, id)) === undefined
  })
}

/** Moves the publication time of a scheduled release to one second ago. */
export async function makeReleaseDue({ deps }: Service, id: string): Promise<void> {
  await deps.db
    .updateTable('releases')
    .set({ scheduled_for: sql<string>`now() - interval '1 second'` })
    .where('id', '=', id)
    .execute()
}

/** Moves the deletion time of objects `days` into the past. */
export async function ageObjects({ deps }: Service, keys: string[], days: number): Promise<void> {
  await deps.db
    .updateTable('stored_objects')
    .set({ deleted_at: sql<string>`now() - make_interval(secs => ${days * 24 * 60 * 60}::float8)` })
    .where('key', 'in', keys)
    .execute()
}

/** Moves the deletion time of every deleted object `days` into the past. */
export async function ageDeletedObjects({ deps }: Service, days: number): Promise<void> {
  await deps.db
    .updateTable('stored_objects')
    .set({ deleted_at: sql<string>`now() - make_interval(secs => ${days * 24 * 60 * 60}::float8)` })
    .where('deleted_at', 'is not', null)
    .execute()
}
