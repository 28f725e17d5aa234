import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { requireBuildOfPath } from './build.db.ts'
import { FullBuild } from './build.ts'
import { StreamIdentifier, changeBuild } from './change-build.ts'

export const moveBuild = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/builds/:build_id/stream',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Move a build to another stream',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  body: Type.Object({ stream: StreamIdentifier }),
  returns: one(FullBuild),
  load: requireBuildOfPath,
  async handle({ build, body, ...call }) {
    const data = await changeBuild(call, build.application_id, build.id, { stream: body.stream })
    return { message: 'Build moved.', data }
  },
})
