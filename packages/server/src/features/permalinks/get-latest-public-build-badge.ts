import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { FileResponse } from '../../http/endpoint/file-response.ts'
import { badgeDescription, badgeOf, badgeParams, badgeQuery, servedBadges } from '../badges/badge.ts'
import { requireLatestPublicBuild } from './download-latest-public-build.ts'
import { architectureQuery, StreamPermalinkParams } from './permalink.ts'

export const getLatestPublicBuildBadge = endpoint({
  method: 'GET',
  path: '/public/permalinks/:application_id/streams/:stream_identifier/:platform/badge/:format',
  scope: 'public',
  summary: 'Get a badge of the latest public build',
  description: badgeDescription,
  params: Type.Object({ ...StreamPermalinkParams.properties, ...badgeParams }),
  query: Type.Object({ ...architectureQuery, ...badgeQuery }),
  serves: servedBadges,
  returns: FileResponse,
  load: (call) => requireLatestPublicBuild(call, call.query.architecture),
  handle: ({ build, stream, ...call }) => badgeOf(call, build, stream.name),
})
