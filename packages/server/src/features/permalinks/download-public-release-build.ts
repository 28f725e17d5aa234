import { Type, type Static } from 'typebox'
import type { Db } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { FileRedirect } from '../../http/endpoint/redirect.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { tooManyDownloads } from '../builds/files/download.ts'
import { downloadFromPortal } from './download-latest-public-build.ts'
import { requireBuildOfRelease } from './permalink.db.ts'
import { architectureQuery, ReleasePermalinkParams, wantedVersion } from './permalink.ts'

export const downloadPublicReleaseBuild = endpoint({
  method: 'GET',
  path: '/public/permalinks/:application_id/releases/:release_version/:platform',
  scope: 'public',
  summary: 'Download a public release build',
  description:
    'Redirects to the primary file of the newest build of a published release that a public portal shows. `/d/{application_id}/releases/{version}/{platform}[/{architecture}]` is the short form.',
  params: ReleasePermalinkParams,
  query: Type.Object(architectureQuery),
  status: 302,
  refuses: [tooManyDownloads, ...storageProblems],
  returns: FileRedirect,
  load: (call) => requirePublicReleaseBuild(call, call.query.architecture),
  handle: ({ build, ...call }) => downloadFromPortal(call, build),
})

/** Loads a build of a release that a public portal shows; throws 404 if there is none. */
export async function requirePublicReleaseBuild(
  { db, params }: { db: Db; params: Static<typeof ReleasePermalinkParams> },
  architecture: string | undefined,
) {
  const version = wantedVersion(params.release_version)
  return { build: await requireBuildOfRelease(db, { ...params, architecture, isPublic: true }, version) }
}
