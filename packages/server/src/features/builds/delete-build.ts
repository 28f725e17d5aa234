import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireBuild } from './build.db.ts'
import { trashBuild } from './trash-build.ts'

export const deleteBuild = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/builds/:build_id',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Put a build into the trash',
  description:
    'It can be restored until the trash is emptied, after QUAYSIDE_TRASH_DAYS days (7 unless set).',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  returns: Message,
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, build: await requireBuild(db, application.id, params.build_id) }
  },
  async handle({ application, build, ...call }) {
    await inTransaction(call.db, (tx) => trashBuild(tx, call, application.id, build.id))
    return { message: 'Build moved to the trash.' }
  },
})
