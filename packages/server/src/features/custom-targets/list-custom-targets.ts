import { Type } from 'typebox'
import { requireOwnerOfPath, type OwnerRef } from '../../access/owner.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import { listUsableCustomTargets } from './custom-target.db.ts'
import { CustomTarget, customTargetResource } from './custom-target.ts'

const definition = {
  method: 'GET',
  returns: listOf(CustomTarget),
  load: requireOwnerOfPath,
  async handle({ db, config, owner }: Call & { owner: OwnerRef }) {
    const targets = await listUsableCustomTargets(db, owner)
    return {
      message: 'Custom targets retrieved.',
      data: targets.map((target) => customTargetResource(target, config.publicUrl)),
    }
  },
} as const

export const listCustomTargets = endpoint({
  ...definition,
  path: '/applications/:application_id/custom-targets',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'List custom targets',
  description:
    'Returns the custom targets that builds of the application can use: its own, and workspace custom targets whose platform is attached to the application.',
  params: Type.Object({ application_id: ApplicationId }),
})

export const listWorkspaceCustomTargets = endpoint({
  ...definition,
  path: '/workspace/custom-targets',
  scope: { workspace: 'workspace:read' },
  summary: 'List workspace custom targets',
  description: 'Lists the custom targets that every application of the workspace can use.',
})
