import { Type } from 'typebox'
import { requireApplication } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireBuildIncludingTrashed } from './build-trash.db.ts'
import { FullBuild } from './build.ts'
import { notInTrash, restoreFromTrash, restorePeriodOver } from './trash-build.ts'

export const restoreBuild = endpoint({
  method: 'POST',
  path: '/applications/:application_id/builds/:build_id/restore',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Restore a build from trash',
  description: 'Moves the build from the trash back to its stream. Possible until the build is purged.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  refuses: [notInTrash, restorePeriodOver],
  returns: one(FullBuild),
  async load({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, build: await requireBuildIncludingTrashed(db, application.id, params.build_id) }
  },
  async handle({ application, build, ...call }) {
    const data = await restoreFromTrash(call, application.id, build.id)
    const isDue = data.expires_at !== null && Date.parse(data.expires_at) <= call.clock.now().getTime()
    const note = isDue
      ? ' Retention will move it to the trash again within the hour. Set `keep_forever` to keep it.'
      : ''
    return { message: `Build restored.${note}`, data }
  },
})
