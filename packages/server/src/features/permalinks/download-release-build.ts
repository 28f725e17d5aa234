import { Type, type Static } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import type { Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { FileRedirect } from '../../http/endpoint/redirect.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { requireBuildOfRelease } from './permalink.db.ts'
import { architectureQuery, downloadWithKey, ReleasePermalinkParams, wantedVersion } from './permalink.ts'

export const downloadReleaseBuild = endpoint({
  method: 'GET',
  path: '/applications/:application_id/permalinks/releases/:release_version/:platform',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Download a build of a release',
  description:
    'Redirects to the primary file of the newest build of a published release. `/d/{application_id}/releases/{version}/{platform}[/{architecture}]` is the short form.',
  params: ReleasePermalinkParams,
  query: Type.Object(architectureQuery),
  status: 302,
  budget: 'downloads',
  refuses: [...storageProblems],
  returns: FileRedirect,
  load: (call) => requireReleaseBuild(call, call.query.architecture),
  handle: ({ build, ...call }) => downloadWithKey(call, build),
})

/** Loads the newest build of a published release; throws 404 if the caller cannot access one. */
export async function requireReleaseBuild(
  call: { db: Db; actor: Actor; params: Static<typeof ReleasePermalinkParams> },
  architecture: string | undefined,
) {
  await requireApplicationOfPath(call)
  const version = wantedVersion(call.params.release_version)
  return { build: await requireBuildOfRelease(call.db, { ...call.params, architecture }, version) }
}
