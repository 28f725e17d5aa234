import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { pageFrom, pageOf, pageQuery, pagination } from '../../../http/endpoint/pagination.ts'
import { requireChannelRefOfPath } from '../channel.db.ts'
import { ChannelParams } from '../channel.ts'
import { listReadKeysPage } from './channel-read-key.db.ts'
import { ReadKey, readKeyResource } from './channel-read-key.ts'

const perPage = 15

export const listReadKeys = endpoint({
  method: 'GET',
  path: '/applications/:application_id/channels/:channel_id/read-keys',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'List read keys',
  description: 'Lists the read keys of the channel, oldest first, including revoked and expired ones.',
  params: ChannelParams,
  query: Type.Object(pageQuery(perPage)),
  returns: pageOf(ReadKey),
  load: requireChannelRefOfPath,
  async handle({ channel, query, db }) {
    const page = pageFrom(query, perPage)
    const { rows, total } = await listReadKeysPage(db, channel.id, page)
    return {
      message: 'Read keys retrieved.',
      data: rows.map(readKeyResource),
      pagination: pagination(page, total, rows.length),
    }
  },
})
