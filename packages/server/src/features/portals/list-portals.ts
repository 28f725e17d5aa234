import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { pageFrom, pageOf, pageQuery, pagination } from '../../http/endpoint/pagination.ts'
import { listPortalsPage } from './portal.db.ts'
import { Portal, portalResource } from './portal.ts'

const perPage = 15

export const listPortals = endpoint({
  method: 'GET',
  path: '/portals',
  scope: { workspace: 'portals:read' },
  summary: 'List portals',
  description: 'Lists the portals of the workspace with the applications that they contain.',
  query: Type.Object(pageQuery(perPage)),
  returns: pageOf(Portal),
  async handle({ query, ...call }) {
    const page = pageFrom(query, perPage)
    const { rows, total } = await listPortalsPage(call.db, call.actor.workspaceId, page)
    return {
      message: 'Portals retrieved.',
      data: rows.map((row) => portalResource(row, call)),
      pagination: pagination(page, total, rows.length),
    }
  },
})
