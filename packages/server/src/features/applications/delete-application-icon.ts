import { Type } from 'typebox'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplicationOfPath } from './application.db.ts'
import { changeApplicationIcon } from './change-application-icon.ts'

export const deleteApplicationIcon = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/icon',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Take the icon of an application away',
  params: Type.Object({ application_id: ApplicationId }),
  returns: Message,
  visible: requireApplicationOfPath,
  async handle({ application: { id }, ...call }) {
    await changeApplicationIcon(call, id, null)
    return { message: 'Icon deleted.' }
  },
})
