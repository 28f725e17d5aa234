import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireBuildOfPath } from './build.db.ts'
import { FullBuild } from './build.ts'
import { ArchitectureIdentifiers, changeBuild } from './change-build.ts'

export const replaceBuildArchitectures = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/builds/:build_id/architectures',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Replace the architectures of a build',
  description: 'Replaces the whole list with architectures of the platform of the build.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  body: Type.Object({ architectures: ArchitectureIdentifiers }),
  returns: one(FullBuild),
  load: requireBuildOfPath,
  async handle({ build, body, ...call }) {
    const data = await changeBuild(call, build.application_id, build.id, {
      architectures: body.architectures,
    })
    return { message: 'Architectures replaced.', data }
  },
})
