import { Type } from 'typebox'
import { requireOwnerOfPath, type OwnerRef } from '../../access/owner.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import { listVisibleLabels } from './label.db.ts'
import { Label } from './label.ts'

const definition = {
  method: 'GET',
  returns: listOf(Label),
  load: requireOwnerOfPath,
  async handle({ db, owner }: Call & { owner: OwnerRef }) {
    return { message: 'Labels retrieved.', data: await listVisibleLabels(db, owner) }
  },
} as const

export const listLabels = endpoint({
  ...definition,
  path: '/applications/:application_id/labels',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'List labels',
  description: 'Returns the labels of the application and of its workspace.',
  params: Type.Object({ application_id: ApplicationId }),
})

export const listWorkspaceLabels = endpoint({
  ...definition,
  path: '/workspace/labels',
  scope: { workspace: 'workspace:read' },
  summary: 'List workspace labels',
  description: 'Lists the labels that every application of the workspace can use.',
})
