import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireBuildOfPath } from './build.db.ts'
import { FullBuild } from './build.ts'
import { changeBuild, LabelNames, referenceGone } from './change-build.ts'

export const replaceBuildLabels = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/builds/:build_id/labels',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Replace the labels of a build',
  description: 'Replaces the whole list; an empty list removes every label.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  body: Type.Object({ labels: LabelNames }),
  refuses: [referenceGone],
  returns: one(FullBuild),
  load: requireBuildOfPath,
  async handle({ build, body, ...call }) {
    const data = await changeBuild(call, build.application_id, build.id, { labels: body.labels })
    return { message: 'Labels replaced.', data }
  },
})
