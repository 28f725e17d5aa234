import type { Executor, Tx } from '../../../database/transaction.ts'
import type { DebugId } from '../../../inspection/inspection.ts'
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
