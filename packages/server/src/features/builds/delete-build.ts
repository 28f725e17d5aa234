import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { requireBuildOfPath } from './build.db.ts'
import { held, moveBuildToTrash } from './trash-build.ts'

export const deleteBuild = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/builds/:build_id',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Delete a build',
  description:
    'Moves the build to the trash, from which it can be restored for `QUAYSIDE_TRASH_DAYS` days (7 by default). A build that is in a release or has a usable share link is deleted only with `force`; the release and the link then no longer offer it unless it is restored. The 409 response names them, and `kept_by` of the build lists them. `keep_forever` does not prevent deletion.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  query: Type.Object({
    force: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Deletes the build even if it is in a release or has a usable share link.',
      }),
    ),
  }),
  refuses: [held],
  returns: Message,
  load: requireBuildOfPath,
  async handle({ build, query, ...call }) {
    const force = query.force === true
    await inTransaction(call.db, (tx) =>
      moveBuildToTrash(tx, call, build.application_id, build.id, { force }),
    )
    return { message: 'Build moved to the trash.' }
  },
})
