import { Type } from 'typebox'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireBuildOfPath } from './build.db.ts'
import { FullBuild } from './build.ts'
import { BuildChanges, changeBuild, referenceGone } from './change-build.ts'

export const updateBuild = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/builds/:build_id',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Update a build',
  description:
    'Changes only the given fields. `null` removes a value. The files of a build never change; upload a new build instead.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  body: BuildChanges,
  refuses: [referenceGone],
  returns: one(FullBuild),
  load: requireBuildOfPath,
  async handle({ build, body, ...call }) {
    const changes = givenChanges(BuildChanges, body)
    return {
      message: 'Build updated.',
      data: await changeBuild(call, build.application_id, build.id, changes),
    }
  },
})
