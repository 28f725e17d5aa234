import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { NewIcon, storeIcon } from '../icons/icon.ts'
import { SingleApplication } from './application.ts'
import { changeApplicationIcon } from './change-application-icon.ts'

export const replaceApplicationIcon = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/icon',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Upload an application icon',
  params: Type.Object({ application_id: ApplicationId }),
  body: NewIcon,
  returns: one(SingleApplication),
  load: requireApplicationOfPath,
  async handle({ application: { id }, body, ...call }) {
    const icon = await storeIcon(call, body)
    return { message: 'Icon uploaded.', data: await changeApplicationIcon(call, id, icon) }
  },
})
