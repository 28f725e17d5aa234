import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireLabelOfPath } from './label.db.ts'
import { LabelIdentifier, labelResource, SingleLabel, type LoadedLabel } from './label.ts'

const definition = {
  method: 'GET',
  returns: one(SingleLabel),
  load: requireLabelOfPath,
  async handle({ label, owner }: LoadedLabel) {
    return { message: 'Label retrieved.', data: labelResource(label, owner) }
  },
} as const

export const getLabel = endpoint({
  ...definition,
  path: '/applications/:application_id/labels/:label_identifier',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'Get a label',
  description:
    "Returns a label of the application or of its workspace. If both have a label with this name, returns the application's.",
  params: Type.Object({ application_id: ApplicationId, label_identifier: LabelIdentifier }),
})

export const getWorkspaceLabel = endpoint({
  ...definition,
  path: '/workspace/labels/:label_identifier',
  scope: { workspace: 'workspace:read' },
  summary: 'Get a workspace label',
  description: 'Returns a label of the workspace by its ID or its name.',
  params: Type.Object({ label_identifier: LabelIdentifier }),
})
