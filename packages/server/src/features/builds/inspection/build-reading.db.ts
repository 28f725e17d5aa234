import { sql, type RawBuilder } from 'kysely'
import type { Executor, Tx } from '../../../database/transaction.ts'

/** What is read from the files of a build. */
export type ReadingKind = 'inspection' | 'checksums' | 'artifacts' | 'chunks'

type Reading = { kind: ReadingKind; version: number }

/** Records the version of the code that has read the files of these builds. */
export async function saveReadings(
  db: Executor,
  buildIds: string[],
  { kind, version }: Reading,
): Promise<void> {
  await db
    .updateTable('build_readings')
    .set({ version, has_failed: false })
    .where(sql<boolean>`build_id = any(${buildIds})`)
    .where('kind', '=', kind)
    .execute()
}

/**
 * Reserves a build whose reading is outdated for `leaseMinutes`, starting with those that have become due most recently,
 * which are the newest builds. Builds whose last attempt failed come after all others. Returns its ID, or undefined if
 * there is none. Concurrent callers get different builds.
 */
export async function claimOutdatedBuild(
  db: Executor,
  { kind, version }: Reading,
  leaseMinutes: number,
): Promise<string | undefined> {
  for (const hasFailed of [false, true]) {
    const { rows } = await sql<{ build_id: string }>`
      update build_readings set due_at = now() + make_interval(mins => ${leaseMinutes})
      where kind = ${kind} and build_id = (
        select build_id from build_readings
        where kind = ${kind} and has_failed = ${hasFailed} and version < ${version} and due_at <= now()
        order by version desc, due_at desc, build_id desc limit 1 for update skip locked)
      returning build_id`.execute(db)
    if (rows[0] !== undefined) return rows[0].build_id
  }
  return undefined
}

/** Extends the lease of a claimed build. Does nothing if it has ended, or if a file was added that is due now. */
export async function renewReading(
  db: Executor,
  buildId: string,
  { kind, version, leaseMinutes }: Reading & { leaseMinutes: number },
): Promise<void> {
  await db
    .updateTable('build_readings')
    .set({ due_at: sql<string>`now() + make_interval(mins => ${leaseMinutes})` })
    .where('build_id', '=', buildId)
    .where('kind', '=', kind)
    .where('version', '<', version)
    .where('due_at', '>', sql<string>`now()`)
    .execute()
}

/** Makes an outdated reading that failed due in `minutes`. */
export async function postponeReading(
  db: Executor,
  buildId: string,
  { kind, minutes }: { kind: ReadingKind; minutes: number },
): Promise<void> {
  await db
    .updateTable('build_readings')
    .set({ has_failed: true, due_at: sql<string>`now() + make_interval(mins => ${minutes})` })
    .where('build_id', '=', buildId)
    .where('kind', '=', kind)
    .execute()
}

/** Makes an outdated reading that was interrupted due now. */
export async function releaseReading(db: Executor, buildId: string, kind: ReadingKind): Promise<void> {
  await db
    .updateTable('build_readings')
    .set({ due_at: sql<string>`now()` })
    .where('build_id', '=', buildId)
    .where('kind', '=', kind)
    .execute()
}

/** Returns the number of builds by outdated kind of reading. */
export async function countOutdatedBuilds(
  db: Executor,
  readings: readonly Reading[],
): Promise<{ kind: ReadingKind; count: number }[]> {
  const counts = []
  for (const { kind, version } of readings) {
    const { count } = await db
      .selectFrom('build_readings')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('kind', '=', kind)
      // PostgreSQL before 18 cannot skip this column of the index, and would read the readings of all builds.
      .where(sql<boolean>`has_failed = any('{f,t}')`)
      .where('version', '<', version)
      .executeTakeFirstOrThrow()
    counts.push({ kind, count })
  }
  return counts
}

/**
 * Records that the checksums of all files and metadata artifacts of the build are known, or cannot be computed. Does
 * nothing if one is missing, such as that of an artifact that was added in the meantime.
 */
export const saveChecksumReading = (tx: Tx, buildId: string, version: number): Promise<void> =>
  saveCompleteReading(tx, buildId, {
    kind: 'checksums',
    version,
    isIncomplete: sql<boolean>`(
      exists (select from files where build_id = ${buildId} and checksum_sha512 is null and checksum_error is null)
      or exists (select from metadata_artifacts
        where build_id = ${buildId} and checksum_sha512 is null and checksum_error is null))`,
  })

/** Records that all metadata artifacts of the build have been read. Does nothing if one has not. */
export const saveArtifactReading = (tx: Tx, buildId: string, version: number): Promise<void> =>
  saveCompleteReading(tx, buildId, {
    kind: 'artifacts',
    version,
    isIncomplete: sql<boolean>`exists (
      select from metadata_artifacts where build_id = ${buildId} and inspection_version < ${version})`,
  })

/** Records that a reading of the build is complete. Does nothing if `isIncomplete`. */
export async function saveCompleteReading(
  tx: Tx,
  buildId: string,
  { kind, version, isIncomplete }: Reading & { isIncomplete: RawBuilder<boolean> },
): Promise<void> {
  // Whoever adds a file changes this row, so the next statement sees the file, or the file resets the version later.
  await sql`select from build_readings where build_id = ${buildId} and kind = ${kind} for update`.execute(tx)
  await sql`
    update build_readings set version = ${version}, has_failed = false
    where build_id = ${buildId} and kind = ${kind} and not ${isIncomplete}`.execute(tx)
}
