import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { FileResponse } from '../../http/endpoint/file-response.ts'
import { badgeDescription, badgeOf, badgeParams, badgeQuery, servedBadges } from '../badges/badge.ts'
import { requireReleaseBuild } from './download-release-build.ts'
import { architectureQuery, ReleasePermalinkParams } from './permalink.ts'

export const getReleaseBuildBadge = endpoint({
  method: 'GET',
  path: '/applications/:application_id/permalinks/releases/:release_version/:platform/badge/:format',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get a badge of a release',
  description: badgeDescription,
  params: Type.Object({ ...ReleasePermalinkParams.properties, ...badgeParams }),
  query: Type.Object({ ...architectureQuery, ...badgeQuery }),
  serves: servedBadges,
  returns: FileResponse,
  load: (call) => requireReleaseBuild(call, call.query.architecture),
  handle: ({ build, ...call }) => badgeOf(call, build),
})
