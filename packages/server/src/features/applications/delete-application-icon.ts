import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { changeApplicationIcon } from './change-application-icon.ts'

export const deleteApplicationIcon = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/icon',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Delete an application icon',
  description: 'Removes the icon. `icon_url` is `null` from then on.',
  params: Type.Object({ application_id: ApplicationId }),
  returns: Message,
  load: requireApplicationOfPath,
  async handle({ application: { id }, ...call }) {
    await changeApplicationIcon(call, id, null)
    return { message: 'Icon deleted.' }
  },
})
