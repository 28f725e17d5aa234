import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { Message } from '../../http/answers.ts'
import { endpoint, type Call } from '../../http/endpoint.ts'
import { ApplicationId, PathId } from '../../http/fields.ts'
import { invalid } from '../../http/validation.ts'
import { Problem } from '../../lib/problem.ts'
import { requireApplication } from '../applications/application.db.ts'
import { findStreamHolds } from '../builds/build.db.ts'
import { deletePortalStreamsOf } from '../portals/portal-application.db.ts'
import { updateUploadsOfStream } from '../uploads/pending-upload.db.ts'
import { removeWebhooks, withWebhooks } from '../webhooks/webhook.ts'
import { moveBuilds } from './move-builds.job.ts'
import { atOnce, moveSomeBuilds } from './move-builds.ts'
import { lockStreamKept, updateStreamMoving, updateStreamsOnTheirWay } from './moving-stream.db.ts'
import { deleteStreamRow, findStreamId, requireLockedStream, requireStream } from './stream.db.ts'
import { streamFacts } from './stream.ts'

// about a second; a job does the rest
const mostBatches = 10

export const deleteStream = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/streams/:stream_identifier',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Delete a stream',
  description:
    'While builds (those in the trash too) or unfinished uploads are in it, `move_to` must name the stream that takes them. The builds are shown in it at once; of more than a thousand, their events and audit entries follow within minutes. Webhooks that heard of this stream alone go with it.',
  params: Type.Object({
    application_id: ApplicationId,
    stream_identifier: PathId('Id or name of the stream.'),
  }),
  query: Type.Object({
    move_to: Type.Optional(Type.String({ maxLength: 255, description: 'Id or name of another stream.' })),
  }),
  returns: Message,
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, stream: await requireStream(db, application.id, params.stream_identifier) }
  },
  async handle({ application, stream, query, ...call }) {
    const problems = {
      builds_stream_id_application_id_fkey: targetGone,
      pending_uploads_stream_id_application_id_fkey: targetGone,
      streams_moving_to_application_id_fkey: arriving,
    }
    const remove = async (tx: Tx) => {
      const target = await targetOf(tx, application.id, stream.id, query.move_to)
      if (target !== undefined) {
        // uploads first: a verify under way holds its upload, then its stream
        await updateUploadsOfStream(tx, stream.id, target)
        await updateStreamsOnTheirWay(tx, stream.id, target)
      }
      const before = await requireLockedStream(tx, stream.id)
      const holds = await findStreamHolds(tx, stream.id)
      if (target === undefined && (holds.builds > 0 || holds.uploads > 0)) throw inUse(stream.name, holds)
      let isMoved = true
      if (target !== undefined) {
        if (!(await lockStreamKept(tx, target))) throw targetGone()
        await updateUploadsOfStream(tx, stream.id, target)
        await updateStreamsOnTheirWay(tx, stream.id, target)
        isMoved = await moveAsManyAsARequestMay(tx, call, before, target)
      }
      const heard = await removeWebhooks(tx, call, { by: 'stream_id', id: stream.id })
      if (isMoved || target === undefined) {
        await deleteStreamRow(tx, stream.id)
      } else {
        await deletePortalStreamsOf(tx, stream.id)
        await updateStreamMoving(tx, stream.id, target, movedBy(call))
        await call.queue.enqueue(tx, moveBuilds, {})
      }
      await recordEvent(tx, call, {
        action: 'stream.deleted',
        applicationId: application.id,
        subject: { type: 'stream', id: stream.id },
        before: streamFacts(before),
        ...(target === undefined ? {} : { after: { moved_to: target, moved_builds: holds.builds } }),
      })
      return heard
    }
    const heard = await conflictsAs(problems, () => inTransaction(call.db, remove))
    return { message: `Stream deleted${withWebhooks(heard)}` }
  },
})

async function targetOf(tx: Tx, applicationId: string, streamId: string, moveTo: string | undefined) {
  if (moveTo === undefined) return undefined
  const id = await findStreamId(tx, applicationId, moveTo)
  if (id === undefined) throw invalid({ move_to: [`"${moveTo}" is not a stream of this application.`] })
  if (id === streamId) throw invalid({ move_to: ['must be another stream than the one to delete.'] })
  return id
}

/** False when builds are left. */
async function moveAsManyAsARequestMay(tx: Tx, call: Call, from: { id: string; name: string }, to: string) {
  for (let batch = 0; batch < mostBatches; batch++)
    if ((await moveSomeBuilds(tx, call, from, to)) < atOnce) return true
  return false
}

const movedBy = ({ actor: { via, keyId, name, workspaceId }, address }: Call) => ({
  actor: { via, keyId, name, workspaceId },
  address,
})

const targetGone = (): Problem =>
  new Problem('conflict', 'stream.target_gone', 'The stream named in move_to was just deleted. Name another.')

const arriving = (): Problem =>
  new Problem(
    'conflict',
    'stream.in_use',
    'The last builds of a deleted stream are just arriving in this one: try again, or name in move_to the stream that takes them.',
  )

const inUse = (name: string, { builds, uploads }: { builds: number; uploads: number }): Problem =>
  new Problem(
    'conflict',
    'stream.in_use',
    `The stream "${name}" holds ${builds} builds (perhaps in the trash) and ${uploads} unfinished uploads: name in move_to the stream that takes them.`,
  )
