import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import { listChannelRows } from './channel.db.ts'
import { Channel, channelResource } from './channel.ts'

export const listChannels = endpoint({
  method: 'GET',
  path: '/applications/:application_id/channels',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'List channels',
  description: 'Lists the channels of the application by name.',
  params: Type.Object({ application_id: ApplicationId }),
  returns: listOf(Channel),
  load: requireApplicationOfPath,
  async handle({ application, ...call }) {
    const rows = await listChannelRows(call.db, application.id)
    return { message: 'Channels retrieved.', data: rows.map((row) => channelResource(row, call)) }
  },
})
