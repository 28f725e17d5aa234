import type { Executor, Tx } from '../../../database/transaction.ts'
import type { DebugId, Inspection } from '../../../inspection/inspection.ts'
import { uuidV7 } from '../../../lib/ids.ts'

/** Replaces the IDs of the primary file, or those of an artifact. */
export async function replaceDebugIds(
  tx: Tx,
  { buildId, artifactId }: { buildId: string; artifactId: string | null },
  ids: readonly DebugId[],
): Promise<void> {
  await tx
    .deleteFrom('debug_ids')
    .where('build_id', '=', buildId)
    .where('artifact_id', 'is not distinct from', artifactId)
    .execute()
  if (ids.length === 0) return
  await tx
    .insertInto('debug_ids')
    .values(
      ids.map(({ kind, id, role, name, path, architecture }, position) => ({
        row_id: uuidV7(),
        position,
        build_id: buildId,
        artifact_id: artifactId,
        kind,
        id,
        role,
        name,
        path,
        architecture,
      })),
    )
    .execute()
}

/** Lists the IDs of a build, starting with those of its primary file. */
export async function listDebugIds(db: Executor, buildId: string) {
  return db
    .selectFrom('debug_ids')
    .select(['kind', 'id', 'role', 'name', 'path', 'architecture', 'artifact_id'])
    .where('build_id', '=', buildId)
    .orderBy((eb) => eb('artifact_id', 'is not', null))
    .orderBy('artifact_id')
    .orderBy('position')
    .execute()
}

export type PackageDetails = Pick<Inspection, 'deb_control' | 'rpm_header'> & {
  deviceHashes: string[] | null
}

/** Replaces what later features need of the primary file. */
export async function replacePackageDetails(tx: Tx, buildId: string, details: PackageDetails): Promise<void> {
  const { deb_control, rpm_header, deviceHashes } = details
  await tx.deleteFrom('package_details').where('build_id', '=', buildId).execute()
  if (deb_control === null && rpm_header === null && deviceHashes === null) return
  await tx
    .insertInto('package_details')
    .values({
      build_id: buildId,
      deb_control: deb_control === null ? null : JSON.stringify(deb_control),
      rpm_header: rpm_header === null ? null : JSON.stringify(rpm_header),
      device_hashes: deviceHashes,
    })
    .execute()
}
