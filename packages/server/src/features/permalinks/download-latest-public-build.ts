import { Type, type Static } from 'typebox'
import type { Db } from '../../database/transaction.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { FileRedirect } from '../../http/endpoint/redirect.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { insertDownloads } from '../builds/files/download.db.ts'
import {
  chargePublicDownload,
  downloadAttributes,
  publicLinkLifeSeconds,
  recordIfPossible,
  tooManyDownloads,
  withDownloadTransaction,
} from '../builds/files/download.ts'
import { requireStreamWithMoving } from '../streams/stream.db.ts'
import { requireBuildOfStream, type SelectedBuild } from './permalink.db.ts'
import { architectureQuery, redirectToBuild, StreamPermalinkParams } from './permalink.ts'

export const downloadLatestPublicBuild = endpoint({
  method: 'GET',
  path: '/public/permalinks/:application_id/streams/:stream_identifier/:platform',
  scope: 'public',
  summary: 'Download the latest public build',
  description:
    'Redirects to the primary file of the newest build of a stream that a public portal shows. `/d/{application_id}/{stream}/latest/{platform}[/{architecture}]` is the short form.',
  params: StreamPermalinkParams,
  query: Type.Object(architectureQuery),
  status: 302,
  refuses: [tooManyDownloads, ...storageProblems],
  returns: FileRedirect,
  load: (call) => requireLatestPublicBuild(call, call.query.architecture),
  handle: ({ build, ...call }) => downloadFromPortal(call, build),
})

/** Loads the newest build of a stream that a public portal shows; throws 404 if there is none. */
export async function requireLatestPublicBuild(
  { db, params }: { db: Db; params: Static<typeof StreamPermalinkParams> },
  architecture: string | undefined,
) {
  const stream = await requireStreamWithMoving(db, params.application_id, params.stream_identifier)
  const selection = { ...params, architecture, isPublic: true }
  return { build: await requireBuildOfStream(db, selection, [stream.id]), stream }
}

export type PublicCall = Omit<Call, 'actor' | 'lastEventId' | 'findAccessState' | 'setCookie'>

/** Records a download through the portal that shows the build, and returns the redirect to the file. */
export async function downloadFromPortal(call: PublicCall, build: SelectedBuild) {
  const { redirect, isUnchanged } = await redirectToBuild(call, build.id, publicLinkLifeSeconds)
  if (call.isHead || isUnchanged) return redirect
  chargePublicDownload(call, build.portal_id ?? build.id)
  const download = {
    ...downloadAttributes(call, build),
    file_id: redirect.file_id,
    portal_id: build.portal_id,
  }
  await recordIfPossible(call, () =>
    withDownloadTransaction(call.db, (tx) => insertDownloads(tx, [{ ...download, channel: 'portal' }])),
  )
  return redirect
}
