import { sql } from 'kysely'
import { reachShape, selectNamedApplication } from '../../access/application.db.ts'
import { compileByShape, compiler } from '../../database/compiled.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { notFound } from '../../lib/problem.ts'
import { selectUploadStoreId } from '../../storage/custom/custom-store.db.ts'
import { selectLabelIds } from '../labels/label.db.ts'
import { selectIsAttached } from '../platforms/platform.db.ts'
import { selectStreamByName } from '../streams/stream.db.ts'

type Named = { actor: Actor; applicationId: string; stream: string; platform: string; labels: string[] }

const findNamed = compileByShape(
  (named: Named) => String(reachShape(named)),
  (named, parameter) => {
    const applicationId = parameter((each) => each.applicationId)
    const workspaceId = parameter((each) => each.actor.workspaceId)
    const labels = parameter((each) => each.labels)
    return selectNamedApplication(named, parameter).select([
      selectUploadStoreId(compiler, applicationId).as('store_id'),
      selectStreamByName(
        compiler,
        applicationId,
        parameter((each) => each.stream),
      ).as('stream_id'),
      selectIsAttached(
        compiler,
        applicationId,
        parameter((each) => each.platform),
      ).as('is_attached'),
      sql<string[]>`array(${selectLabelIds(compiler, { applicationId, workspaceId }, labels)})`.as(
        'label_ids',
      ),
    ])
  },
)

/**
 * Returns the application with what an upload request names: its stream, whether it has the platform, which labels are
 * IDs, and the store for the files. Throws the same 404 as `requireApplication`.
 */
export async function requireUploadReferences(db: Executor, named: Named) {
  const [row] = await findNamed(db, named)
  if (row === undefined) throw notFound()
  return row
}
