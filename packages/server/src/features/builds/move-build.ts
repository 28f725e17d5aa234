import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireBuildOfPath } from './build.db.ts'
import { FullBuild } from './build.ts'
import { changeBuild, referenceGone, StreamIdentifier } from './change-build.ts'

export const moveBuild = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/builds/:build_id/stream',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Move a build to another stream',
  description:
    'Moves the build to another stream of its application. The retention of the new stream applies from then on.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  body: Type.Object({ stream: StreamIdentifier }),
  refuses: [referenceGone],
  returns: one(FullBuild),
  load: requireBuildOfPath,
  async handle({ build, body, ...call }) {
    const data = await changeBuild(call, build.application_id, build.id, { stream: body.stream })
    return { message: 'Build moved.', data }
  },
})
