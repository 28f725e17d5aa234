import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { spaceProblems } from '../../storage/objects/free-space.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { NewIcon, storeIcon } from '../icons/icon.ts'
import { SingleApplication } from './application.ts'
import { changeApplicationIcon } from './change-application-icon.ts'

export const replaceApplicationIcon = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/icon',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Upload an application icon',
  description:
    'Replaces the icon of the application. The image is sent in the request body, encoded as Base64.',
  params: Type.Object({ application_id: ApplicationId }),
  body: NewIcon,
  refuses: [...spaceProblems, ...storageProblems],
  returns: one(SingleApplication),
  load: requireApplicationOfPath,
  async handle({ application: { id }, body, ...call }) {
    const icon = await storeIcon(call, body)
    return { message: 'Icon uploaded.', data: await changeApplicationIcon(call, id, icon) }
  },
})
