import { Type, type Static } from 'typebox'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { spaceProblems } from '../../storage/objects/free-space.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { NewIcon } from '../icons/icon.ts'
import { changeCustomTargetIcon } from './change-custom-target-icon.ts'
import { requireCustomTargetOfPath } from './custom-target.db.ts'
import {
  CustomTargetIdentifier,
  SingleCustomTarget,
  targetOfWorkspace,
  type LoadedCustomTarget,
} from './custom-target.ts'

const definition = {
  method: 'PUT',
  body: NewIcon,
  returns: one(SingleCustomTarget),
  load: requireCustomTargetOfPath,
  async handle({ body, ...call }: Call & LoadedCustomTarget & { body: Static<typeof NewIcon> }) {
    return { message: 'Icon uploaded.', data: await changeCustomTargetIcon(call, body) }
  },
} as const

export const replaceCustomTargetIcon = endpoint({
  ...definition,
  path: '/applications/:application_id/custom-targets/:target_identifier/icon',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Upload a custom target icon',
  description: 'Replaces the icon of the target. The image is sent in the request body, encoded as Base64.',
  params: Type.Object({ application_id: ApplicationId, target_identifier: CustomTargetIdentifier }),
  refuses: [targetOfWorkspace, ...spaceProblems, ...storageProblems],
})

export const replaceWorkspaceCustomTargetIcon = endpoint({
  ...definition,
  path: '/workspace/custom-targets/:target_identifier/icon',
  scope: { workspace: 'workspace:write' },
  summary: 'Upload a workspace custom target icon',
  description:
    'Replaces the icon of the target in every application. The image is sent in the request body, encoded as Base64.',
  params: Type.Object({ target_identifier: CustomTargetIdentifier }),
  refuses: [...spaceProblems, ...storageProblems],
})
