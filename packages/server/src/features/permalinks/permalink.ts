import { Type, type Static } from 'typebox'
import { isUnchanged } from '../../http/endpoint/conditional.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, PathId } from '../../http/endpoint/fields.ts'
import { fileTag, followLocation, type FileRedirect } from '../../http/endpoint/redirect.ts'
import { notFound } from '../../lib/problem.ts'
import { parseVersion } from '../../lib/semver.ts'
import { recordKeyDownload, requireFileLink } from '../builds/files/download.ts'
import type { SelectedBuild, WantedVersion } from './permalink.db.ts'

const target = {
  application_id: ApplicationId,
  platform: PathId('Identifier of the platform, for example `android`.'),
}

export const StreamPermalinkParams = Type.Object({
  ...target,
  stream_identifier: PathId('ID or name of the stream. The ID stays the same if the stream is renamed.'),
})

export const ReleasePermalinkParams = Type.Object({
  ...target,
  release_version: PathId(
    'Version of a published release, for example `1.4.0`, or `latest` for the highest version that has a build for the platform.',
  ),
})

export const architectureQuery = {
  architecture: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Identifier of an architecture that the build must support.',
    }),
  ),
}

/** Returns the version in a path; throws 404 if it cannot be the version of a release. */
export function wantedVersion(text: string): WantedVersion {
  if (text === 'latest') return 'latest'
  const version = parseVersion(text)
  if (version === undefined) throw notFound()
  return version
}

type FileLocation = Static<typeof FileRedirect> & { location: string }

/** Returns the redirect to the primary file of a build, and whether the client has that file already. */
export async function redirectToBuild(
  call: Pick<Call, 'db' | 'storage' | 'range' | 'isHead' | 'ifNoneMatch'>,
  buildId: string,
  expiresInSeconds?: number,
): Promise<{ redirect: FileLocation; isUnchanged: boolean }> {
  const link = await requireFileLink(
    call,
    buildId,
    expiresInSeconds === undefined ? {} : { expiresInSeconds },
  )
  const redirect = { message: followLocation, ...link }
  return { redirect, isUnchanged: isUnchanged(call.ifNoneMatch, fileTag(redirect)) }
}

/** Records a download by a key or user, and returns the redirect to the file. */
export async function downloadWithKey(
  call: Pick<
    Call,
    'db' | 'log' | 'storage' | 'range' | 'isHead' | 'ifNoneMatch' | 'actor' | 'address' | 'userAgent'
  >,
  build: SelectedBuild,
): Promise<FileLocation> {
  const { redirect, isUnchanged } = await redirectToBuild(call, build.id)
  if (!isUnchanged) await recordKeyDownload(call, build, { file_id: redirect.file_id })
  return redirect
}
