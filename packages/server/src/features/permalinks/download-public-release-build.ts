import { Type, type Static } from 'typebox'
import { outOfSpace } from '../../database/errors.ts'
import type { Deps } from '../../deps.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { FileRedirect } from '../../http/endpoint/redirect.ts'
import { notFound } from '../../lib/problem.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { requireBuild } from '../builds/build.db.ts'
import { chargePublicDownload, publicLinkLifeSeconds, tooManyDownloads } from '../builds/files/download.ts'
import {
  passwordRequired,
  requireDownloadsLeft,
  requireGrant,
  requireOpenLink,
  shareLinkProblems,
} from '../share-links/share-link-access.ts'
import { recordShareLinkDownload } from '../share-links/share-link-download.ts'
import { paramsOfShortCode } from '../share-links/share-link-url.ts'
import type { ShareLinkRow } from '../share-links/share-link.db.ts'
import { downloadFromPortal, type PublicCall } from './download-latest-public-build.ts'
import {
  findPublicReleaseBuild,
  findReleaseBuild,
  type SelectedBuild,
  type Selection,
  type WantedVersion,
} from './permalink.db.ts'
import {
  architectureQuery,
  redirectToBuild,
  ReleasePermalinkParams,
  selectionOf,
  wantedVersion,
} from './permalink.ts'

export const downloadPublicReleaseBuild = endpoint({
  method: 'GET',
  path: '/public/permalinks/:application_id/releases/:release_version/:platform',
  scope: 'public',
  summary: 'Download a public release build',
  description:
    'Redirects to the primary file of the newest build of a published release that a public portal shows, or, with `share`, of the release of a share link. `/d/{application_id}/releases/{version}/{platform}[/{architecture}]` is the short form. With `share`, each GET counts as one download of the link; HEAD does not.',
  params: ReleasePermalinkParams,
  query: Type.Object({
    ...architectureQuery,
    share: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'What follows `/s/` in the `short_url` of a share link without a password.',
      }),
    ),
  }),
  status: 302,
  refuses: [...shareLinkProblems, passwordRequired, tooManyDownloads, ...storageProblems, outOfSpace],
  returns: FileRedirect,
  load: (call) => requirePublicReleaseBuild(call, call.query),
  handle: (call) => downloadSharedBuild(call),
})

type Wanted = { architecture?: string | undefined; share?: string | undefined }
type SharedCall = Pick<Deps, 'db' | 'secretBox' | 'clock'> & { params: Static<typeof ReleasePermalinkParams> }

/** Loads a build of a release that a public portal shows or `share` gives access to; throws 404 if there is none. */
export async function requirePublicReleaseBuild(call: SharedCall, { architecture, share }: Wanted) {
  const version = wantedVersion(call.params.release_version)
  const selection = selectionOf(call.params, architecture)
  if (share !== undefined) return findSharedBuild(call, { share, selection, version })
  const build = await findPublicReleaseBuild(call.db, selection, version)
  if (build === undefined) throw notFound()
  return { build, link: undefined }
}

/** Counts a download through the link or portal, and returns the redirect to the file. */
export async function downloadSharedBuild({
  build,
  link,
  ...call
}: PublicCall & { build: SelectedBuild; link: ShareLinkRow | undefined }): Promise<
  Static<typeof FileRedirect>
> {
  if (link === undefined) return downloadFromPortal(call, build)
  const { redirect, isUnchanged } = await redirectToBuild(call, build.id, publicLinkLifeSeconds)
  if (isUnchanged) return redirect
  // A link with a download limit must not give away its file without counting.
  if (call.isHead) return withoutLocation(redirect)
  chargePublicDownload(call, link.id)
  const row = await requireBuild(call.db, link.application_id, build.id)
  await recordShareLinkDownload(call, link, row, { file_id: redirect.file_id })
  return redirect
}

const withoutLocation = ({ location: _, ...description }: Static<typeof FileRedirect>) => description

type Shared = { share: string; selection: Selection; version: WantedVersion }

/** Finds the build in the release of a share link; throws the errors of the link, and 404 if it does not share such a build. */
async function findSharedBuild(call: SharedCall, { share, selection, version }: Shared) {
  const { link } = await requireOpenLink({ ...call, params: paramsOfShortCode(call, share) })
  if (link.release_id === null || link.application_id !== selection.applicationId) throw notFound()
  requireGrant(call, link, undefined)
  requireDownloadsLeft(link)
  const build = await findReleaseBuild(call.db, selection, version, link.release_id)
  if (build === undefined) throw notFound()
  return { build, link }
}
