import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { problem } from '../../lib/problem.ts'
import { moveBuilds } from './move-builds.job.ts'
import {
  countStreamReferences,
  lockStreamAgainstDeletion,
  markStreamMoving,
  retargetMovingStreams,
} from './moving-stream.db.ts'
import { removeStream, requireLockedStream, requireStreamOfPath, requireStreamId } from './stream.db.ts'
import { publishedByChannels, streamAuditSnapshot, StreamParams } from './stream.ts'

// Moving ten batches of builds takes about a second. A job moves the remaining builds.
const maxBatches = 10

const targetGone = problem(
  'conflict',
  'stream.target_gone',
  'The stream in `move_to` was just deleted. Set `move_to` to another stream.',
)

const buildsArriving = problem(
  'conflict',
  'stream.in_use',
  'Builds of a deleted stream are still being moved into this one. Try again, or set `move_to` to another stream.',
)

const notEmpty = problem(
  'conflict',
  'stream.in_use',
  'The stream "{name}" is not empty (builds, including those in the trash: {builds}; unfinished uploads: {uploads}). Set `move_to` to the stream that should receive them.',
)

export const deleteStream = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/streams/:stream_identifier',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Delete a stream',
  description:
    'While the stream contains builds (including those in the trash) or unfinished uploads, `move_to` must specify another stream that receives them. No build is deleted. The builds appear there immediately, and releases and share links continue to include them. If there are more than a thousand, their events and audit entries are recorded within minutes. Webhooks that are limited to this stream are deleted with it.',
  params: StreamParams,
  query: Type.Object({
    move_to: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'ID or name of the stream that receives the builds and uploads.',
      }),
    ),
  }),
  refuses: [targetGone, buildsArriving, notEmpty, publishedByChannels],
  returns: Message,
  load: requireStreamOfPath,
  async handle({ application, stream, query, ...call }) {
    const { dependents } = call
    const problems = {
      builds_stream_id_application_id_fkey: targetGone,
      pending_uploads_stream_id_application_id_fkey: targetGone,
      streams_moving_to_application_id_fkey: buildsArriving,
      channels_stream_id_application_id_fkey: () => publishedByChannels({ channels: 'a new channel' }),
    }
    const remove = async (tx: Tx) => {
      const targetId = await findTargetId(tx, application.id, stream.id, query.move_to)
      if (targetId !== undefined) {
        // Moves the uploads before locking the stream, because a verify call locks its upload before the stream. The
        // reverse order could cause a deadlock.
        await dependents.moveUploadsOfStream(tx, stream.id, targetId)
        await retargetMovingStreams(tx, stream.id, targetId)
      }
      const before = await requireLockedStream(tx, stream.id)
      await dependents.requireStreamUnpublished(tx, before)
      const references = await countStreamReferences(tx, stream.id)
      if (targetId === undefined && (references.builds > 0 || references.uploads > 0))
        throw notEmpty({ name: stream.name, ...references })
      let hasMoved = true
      if (targetId !== undefined) {
        if (!(await lockStreamAgainstDeletion(tx, targetId))) throw targetGone()
        await dependents.moveUploadsOfStream(tx, stream.id, targetId)
        await retargetMovingStreams(tx, stream.id, targetId)
        hasMoved = await moveFirstBuilds(tx, call, before, targetId)
      }
      const alongWith = await dependents.deleteWebhooksOf(tx, call, { stream_id: stream.id })
      if (hasMoved || targetId === undefined) {
        await removeStream(tx, stream.id)
      } else {
        await dependents.deletePortalStreams(tx, stream.id)
        await markStreamMoving(tx, stream.id, targetId, authorOf(call))
        await call.queue.enqueue(tx, moveBuilds, {})
      }
      await recordEvent(tx, call, {
        action: 'stream.deleted',
        applicationId: application.id,
        subject: { type: 'stream', id: stream.id },
        before: streamAuditSnapshot(before),
        ...(targetId === undefined ? {} : { after: { moved_to: targetId, moved_builds: references.builds } }),
      })
      return alongWith
    }
    const alongWith = await conflictsAs(problems, () => inTransaction(call.db, remove))
    return { message: `Stream deleted${alongWith}.` }
  },
})

async function findTargetId(tx: Tx, applicationId: string, streamId: string, moveTo: string | undefined) {
  if (moveTo === undefined) return undefined
  const id = await requireStreamId(tx, applicationId, moveTo, 'move_to')
  if (id === streamId) throw invalid({ move_to: ['must not be the stream being deleted.'] })
  return id
}

/** Moves up to `maxBatches` batches of builds; returns false if some builds may remain. */
async function moveFirstBuilds(tx: Tx, call: Call, stream: { id: string; name: string }, toId: string) {
  for (let batch = 0; batch < maxBatches; batch++)
    if (!(await call.dependents.moveSomeBuildsOfStream(tx, call, stream, toId))) return true
  return false
}

const authorOf = ({ actor: { via, id, name, workspaceId }, address }: Call) => ({
  actor: { via, id, name, workspaceId },
  address,
})
