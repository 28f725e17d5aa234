import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireChannelOfPath } from './channel.db.ts'
import { Channel, ChannelParams, channelResource } from './channel.ts'

export const getChannel = endpoint({
  method: 'GET',
  path: '/applications/:application_id/channels/:channel_id',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'Get a channel',
  description: 'Returns a channel with its formats and its base URL.',
  params: ChannelParams,
  returns: one(Channel),
  load: requireChannelOfPath,
  async handle({ channel, ...call }) {
    return { message: 'Channel retrieved.', data: channelResource(channel, call) }
  },
})
