import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { NewIcon, storeIcon } from '../icons/icon.ts'
import { requireApplicationOfPath } from './application.db.ts'
import { SingleApplication } from './application.ts'
import { changeApplicationIcon } from './change-application-icon.ts'

export const replaceApplicationIcon = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/icon',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Give an application an icon',
  params: Type.Object({ application_id: ApplicationId }),
  body: NewIcon,
  returns: one(SingleApplication),
  visible: requireApplicationOfPath,
  async handle({ application: { id }, body, ...call }) {
    const icon = await storeIcon(call, body)
    return { message: 'Icon replaced.', data: await changeApplicationIcon(call, id, icon) }
  },
})
