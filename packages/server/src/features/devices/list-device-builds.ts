import { Type } from 'typebox'
import { decodePosition, encodePosition, type ListPosition } from '../../http/endpoint/cursor.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Nullable } from '../../http/endpoint/fields.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { Build, buildResource } from '../builds/build.ts'
import { listBuildsForDevice } from '../builds/inspection/package-detail.db.ts'
import { requireDeviceOfPath } from './device.db.ts'
import { deviceParams } from './device.ts'

const defaultLimit = 15
const feed = 'device-builds-1'

export const listDeviceBuilds = endpoint({
  method: 'GET',
  path: '/devices/:device_id/builds',
  scope: { workspace: 'distribution_groups:read' },
  summary: 'List builds for a device',
  description:
    'Lists the builds that the device can install, starting with the newest: those whose provisioning profile includes it, and those of enterprise profiles, which include every device. Expired profiles are left out. Returns an empty list to keys without `builds:read`.',
  params: deviceParams,
  query: Type.Object({
    after: Type.Optional(
      Type.String({ maxLength: 2000, description: 'Opaque `next_cursor` of the previous response.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: defaultLimit })),
  }),
  returns: Type.Object({
    message: Type.String(),
    data: Type.Array(
      Type.Object(
        { application_id: Type.String(), application_name: Type.String(), build: Build },
        { title: 'DeviceBuild' },
      ),
    ),
    next_cursor: Nullable(Type.String({ description: '`null` if there are no more builds.' })),
  }),
  load: requireDeviceOfPath,
  async handle({ device, query, actor, config, ...call }) {
    const { limit = defaultLimit } = query
    const after = query.after === undefined ? undefined : positionOf(query.after)
    const rows = actor.scopes.has('builds:read')
      ? await listBuildsForDevice(call, actor, { udid: device.udid, after, limit: limit + 1 })
      : []
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return {
      message: 'Builds retrieved.',
      data: page.map(({ application_name, ...row }) => ({
        application_id: row.application_id,
        application_name,
        build: buildResource(row, config),
      })),
      next_cursor:
        rows.length > limit && last !== undefined
          ? encodePosition(feed, { time: last.created_at, id: last.id })
          : null,
    }
  },
})

/** Returns the position after which a page begins; throws `invalid` if the text is not a cursor of this list. */
function positionOf(text: string): ListPosition {
  const position = decodePosition(text, feed)
  if (position === undefined)
    throw invalid({ after: ['must be the `next_cursor` of an earlier response.'] }, 'query')
  return position
}
