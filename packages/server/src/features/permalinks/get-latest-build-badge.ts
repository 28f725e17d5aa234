import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { FileResponse } from '../../http/endpoint/file-response.ts'
import { badgeDescription, badgeOf, badgeParams, badgeQuery, servedBadges } from '../badges/badge.ts'
import { requireLatestBuild } from './download-latest-build.ts'
import { architectureQuery, StreamPermalinkParams } from './permalink.ts'

export const getLatestBuildBadge = endpoint({
  method: 'GET',
  path: '/applications/:application_id/permalinks/streams/:stream_identifier/:platform/badge/:format',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get a badge of the latest build',
  description: badgeDescription,
  params: Type.Object({ ...StreamPermalinkParams.properties, ...badgeParams }),
  query: Type.Object({ ...architectureQuery, ...badgeQuery }),
  serves: servedBadges,
  returns: FileResponse,
  load: (call) => requireLatestBuild(call, call.query.architecture),
  handle: ({ build, stream, ...call }) => badgeOf(call, build, stream.name),
})
