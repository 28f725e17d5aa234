import { Type, type Static } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import type { Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { FileRedirect } from '../../http/endpoint/redirect.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { requireStreamWithMoving } from '../streams/stream.db.ts'
import { requireBuildOfStream } from './permalink.db.ts'
import { architectureQuery, downloadWithKey, StreamPermalinkParams } from './permalink.ts'

export const downloadLatestBuild = endpoint({
  method: 'GET',
  path: '/applications/:application_id/permalinks/streams/:stream_identifier/:platform',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Download the latest build',
  description:
    'Redirects to the primary file of the newest build of the stream. `/d/{application_id}/{stream}/latest/{platform}[/{architecture}]` is the short form.',
  params: StreamPermalinkParams,
  query: Type.Object(architectureQuery),
  status: 302,
  budget: 'downloads',
  refuses: [...storageProblems],
  returns: FileRedirect,
  load: (call) => requireLatestBuild(call, call.query.architecture),
  handle: ({ build, ...call }) => downloadWithKey(call, build),
})

/** Loads the newest build of a stream; throws 404 if the caller cannot access one. */
export async function requireLatestBuild(
  call: { db: Db; actor: Actor; params: Static<typeof StreamPermalinkParams> },
  architecture: string | undefined,
) {
  const { application } = await requireApplicationOfPath(call)
  const stream = await requireStreamWithMoving(call.db, application.id, call.params.stream_identifier)
  const ids = [stream.id, ...stream.moving_ids]
  return { build: await requireBuildOfStream(call.db, { ...call.params, architecture }, ids), stream }
}
