import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { Message } from '../../http/responses.ts'
import { requireBuildOfPath } from './build.db.ts'
import { moveBuildToTrash } from './trash-build.ts'

export const deleteBuild = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/builds/:build_id',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Delete a build',
  description:
    'Moves the build to the trash, from which it can be restored for `QUAYSIDE_TRASH_DAYS` days (7 by default).',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  returns: Message,
  load: requireBuildOfPath,
  async handle({ build, ...call }) {
    await inTransaction(call.db, (tx) => moveBuildToTrash(tx, call, build.application_id, build.id))
    return { message: 'Build moved to the trash.' }
  },
})
