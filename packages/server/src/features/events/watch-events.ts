import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import type { ChangeOwners } from '../../events/change-log.db.ts'
import { streamLimitProblems } from '../../events/stream-limits.ts'
import { callerId, type Actor } from '../../http/endpoint/actor.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { EventStream } from '../../http/endpoint/event-stream.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import {
  cursorExpired,
  cursorUnknown,
  EventQuery,
  events,
  findResumePlace,
  uploadApplicationIds,
  visibleTypes,
} from './event.ts'

const description = (
  subject: string,
  note = '',
) => `Returns a stream of server-sent events (\`text/event-stream\`) that reports ${subject} within a fraction of a second, in the order in which the changes were committed. ${note}An event does not contain the fields of the resource. Send another request to get its current state.

The first event is \`ready\`. When you receive it, load the resources that you show. Apply every \`change\` event that follows, including those that arrive while you load, so that you miss no change. After a lost connection, send the \`id\` of the last event as \`Last-Event-ID\`, as \`EventSource\` does. The stream then starts with the changes made since that event. Each change is sent once. Several changes to a resource, such as those made while the client was disconnected, can be combined into one event.

\`type\` is the type of the resource. A change to a stream, label or custom target is sent as one event, although it also changes the builds that use it. An event of type \`feedback\` reports feedback on a build. An event of type \`upload\` reports that an upload of a build was requested, is active or has ended: see \`GET /upload\`. Events of type \`release\` require the scope \`releases:read\`, and those of type \`upload\` require \`builds:create\`. Events of type \`notification\` are sent only to the signed-in person whose notifications changed: \`id\` is the ID of this person. For a workspace key, events of type \`application\` require \`applications:read\`.

The server sends a comment every 15 seconds, with an \`id\` if the client has received all changes. Before it closes the stream, it sends the event \`end\` with the reason: the server is stopping, the key or session is no longer valid, the access of the user has changed, the application was deleted, the client reads too slowly, or the changes cannot be read right now. If the key or session is still valid and the application exists, reconnect after the time in \`retry\`.

A stream can be resumed for 30 days. If the changes after an older cursor are no longer available, the response is 410. By default, a key or user can have 100 open streams.`

export const watchEvents = endpoint({
  method: 'GET',
  path: '/applications/:application_id/events',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Watch events',
  description: description(
    'changes to the builds, releases, streams, labels, custom targets and unfinished uploads of an application',
  ),
  params: Type.Object({ application_id: ApplicationId }),
  query: EventQuery,
  streams: events,
  refuses: [cursorExpired, cursorUnknown, ...streamLimitProblems],
  returns: EventStream,
  load: requireApplicationOfPath,
  handle: ({ application, ...call }) =>
    openStream(call, { workspaceId: application.workspace_id, applicationIds: new Set([application.id]) }),
})

export const watchWorkspaceEvents = endpoint({
  method: 'GET',
  path: '/workspace/events',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Watch workspace events',
  description: description(
    'changes to the applications of the workspace and to its builds, releases, streams, labels, custom targets and unfinished uploads',
    'An application key receives only the events of its application, and a member only those of the applications that the member can access. ',
  ),
  query: EventQuery,
  streams: events,
  refuses: [cursorExpired, cursorUnknown, ...streamLimitProblems],
  returns: EventStream,
  handle: (call) =>
    openStream(call, { workspaceId: call.actor.workspaceId, applicationIds: call.actor.applicationIds }),
})

async function openStream(call: Call & { query: { after?: string } }, owners: ChangeOwners) {
  const { db, actor, lastEventId, query, isHead, findAccessState, eventStreams } = call
  const after = await findResumePlace(db, owners, { lastEventId, after: query.after })
  if (isHead) return null
  return eventStreams.open({
    owners,
    types: visibleTypes(actor),
    uploadApplicationIds: uploadApplicationIds(actor),
    userId: actor.session === null ? null : actor.userId,
    caller: callerId(actor),
    credential: credentialOf(actor),
    findAccessState,
    after,
  })
}

/** Streams with the same key have the same access. For a user, it depends on the applications that a stream covers. */
const credentialOf = (actor: Actor): string =>
  actor.session === null
    ? callerId(actor)
    : [actor.session.id, actor.kind, ...(actor.applicationIds ?? ['*'])].join(' ')
