import { Type } from 'typebox'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireCustomTargetOfPath } from './custom-target.db.ts'
import {
  SingleCustomTarget,
  CustomTargetIdentifier,
  singleCustomTarget,
  type LoadedCustomTarget,
} from './custom-target.ts'

const definition = {
  method: 'GET',
  returns: one(SingleCustomTarget),
  load: requireCustomTargetOfPath,
  async handle({ config, customTarget, owner }: Call & LoadedCustomTarget) {
    return {
      message: 'Custom target retrieved.',
      data: singleCustomTarget(customTarget, owner, config.publicUrl),
    }
  },
} as const

export const getCustomTarget = endpoint({
  ...definition,
  path: '/applications/:application_id/custom-targets/:target_identifier',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'Get a custom target',
  description:
    "Returns a custom target of the application or of its workspace. If both have a custom target with this name, returns the application's.",
  params: Type.Object({ application_id: ApplicationId, target_identifier: CustomTargetIdentifier }),
})

export const getWorkspaceCustomTarget = endpoint({
  ...definition,
  path: '/workspace/custom-targets/:target_identifier',
  scope: { workspace: 'workspace:read' },
  summary: 'Get a workspace custom target',
  description: 'Returns a custom target of the workspace by its ID or its name.',
  params: Type.Object({ target_identifier: CustomTargetIdentifier }),
})
