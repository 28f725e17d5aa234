import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import {
  pageFrom,
  pageOf,
  pageQuery,
  pagination,
  searchQuery,
  sortQuery,
} from '../../http/endpoint/pagination.ts'
import { listDevicesPage } from './device.db.ts'
import { Device, deviceResource } from './device.ts'

const perPage = 15

export const listDevices = endpoint({
  method: 'GET',
  path: '/devices',
  scope: { workspace: 'distribution_groups:read' },
  summary: 'List devices',
  description: 'Lists the devices that are registered in the workspace.',
  query: Type.Object({
    ...sortQuery(['name', 'created_at', 'product'], 'name'),
    search: searchQuery('name, UDID and product'),
    ...pageQuery(perPage),
  }),
  returns: pageOf(Device),
  async handle({ db, actor, query }) {
    const { search, sort_by: sortBy = 'name', sort: direction = 'asc' } = query
    const page = pageFrom(query, perPage)
    const { rows, total } = await listDevicesPage(db, actor.workspaceId, { search, sortBy, direction }, page)
    return {
      message: 'Devices retrieved.',
      data: rows.map((row) => deviceResource(row, actor)),
      pagination: pagination(page, total, rows.length),
    }
  },
})
