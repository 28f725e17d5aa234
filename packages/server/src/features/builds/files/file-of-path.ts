import { Type } from 'typebox'
import type { Db } from '../../../database/transaction.ts'
import type { Actor } from '../../../http/endpoint/actor.ts'
import { ApplicationId, BuildId, PathId } from '../../../http/endpoint/fields.ts'
import { notFound } from '../../../lib/problem.ts'
import { requireBuildOfPath } from '../build.db.ts'
import { listFiles } from './file.db.ts'

export const fileParams = Type.Object({
  application_id: ApplicationId,
  build_id: BuildId,
  file_id: PathId('ID of a file of the build.'),
})

/** Loads the file that the path identifies. */
export async function requireFileOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id: string; build_id: string; file_id: string }
}) {
  const { build } = await requireBuildOfPath(call)
  const file = (await listFiles(call.db, build.id)).find(({ id }) => id === call.params.file_id)
  if (file === undefined) throw notFound()
  return { build, file }
}
