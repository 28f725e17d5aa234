import { Type } from 'typebox'
import { listOf } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplicationOfPath } from '../applications/application.db.ts'
import { listCustomTargets as listRows } from './custom-target.db.ts'
import { CustomTarget, customTargetResource } from './custom-target.ts'

export const listCustomTargets = endpoint({
  method: 'GET',
  path: '/applications/:application_id/custom-targets',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'List the custom targets that builds of an application may name',
  description: 'Those of the workspace only if their platform is attached to the application.',
  params: Type.Object({ application_id: ApplicationId }),
  returns: listOf(CustomTarget),
  visible: requireApplicationOfPath,
  async handle({ db, config, application }) {
    const owner = { applicationId: application.id, workspaceId: application.workspace_id }
    const rows = await listRows(db, owner)
    return {
      message: 'Custom targets retrieved.',
      data: rows.map((row) => customTargetResource(row, config.publicUrl)),
    }
  },
})
