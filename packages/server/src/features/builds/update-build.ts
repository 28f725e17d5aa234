import { Type } from 'typebox'
import { givenChanges } from '../../http/changes.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { requireBuildOfPath } from './build.db.ts'
import { FullBuild } from './build.ts'
import { BuildChanges, changeBuild } from './change-build.ts'

export const updateBuild = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/builds/:build_id',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Update a build',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  body: BuildChanges,
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
