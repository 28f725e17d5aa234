import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { FileResponse } from '../../http/endpoint/file-response.ts'
import { badgeDescription, badgeOf, badgeParams, badgeQuery, servedBadges } from '../badges/badge.ts'
import { requirePublicReleaseBuild } from './download-public-release-build.ts'
import { architectureQuery, ReleasePermalinkParams } from './permalink.ts'

export const getPublicReleaseBuildBadge = endpoint({
  method: 'GET',
  path: '/public/permalinks/:application_id/releases/:release_version/:platform/badge/:format',
  scope: 'public',
  summary: 'Get a badge of a public release',
  description: badgeDescription,
  params: Type.Object({ ...ReleasePermalinkParams.properties, ...badgeParams }),
  query: Type.Object({ ...architectureQuery, ...badgeQuery }),
  serves: servedBadges,
  returns: FileResponse,
  load: (call) => requirePublicReleaseBuild(call, call.query.architecture),
  handle: ({ build, ...call }) => badgeOf(call, build),
})
