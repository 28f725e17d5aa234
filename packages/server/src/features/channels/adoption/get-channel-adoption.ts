import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { requireChannelOfPath } from '../channel.db.ts'
import { ChannelParams } from '../channel.ts'
import { findToday, listClientRows, listHealthRows, listVersionDays } from './adoption.db.ts'
import { ChannelAdoption, channelAdoption } from './adoption.ts'

const defaultDays = 30

export const getChannelAdoption = endpoint({
  method: 'GET',
  path: '/applications/:application_id/channels/:channel_id/adoption',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'Get the adoption of a channel',
  description:
    'Counts the checks of clients for updates by version, platform and format, and reports the health of each format. A check is one request that was answered; its client is not identified, so a client that checks twice a day counts twice. Numbers are saved every two seconds and kept for 90 days.',
  params: ChannelParams,
  query: Type.Object({
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 90,
        default: defaultDays,
        description: 'Number of days up to and including today, in UTC.',
      }),
    ),
  }),
  returns: one(ChannelAdoption),
  load: requireChannelOfPath,
  async handle({ db, channel: { id, formats }, query }) {
    const period = { today: await findToday(db), days: query.days ?? defaultDays }
    const rows = {
      versionDays: await listVersionDays(db, id, period),
      clients: await listClientRows(db, id, period),
      health: await listHealthRows(db, id),
    }
    return { message: 'Adoption retrieved.', data: channelAdoption(rows, formats, period) }
  },
})
