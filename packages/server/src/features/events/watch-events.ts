import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import type { ChangeOwners } from '../../events/change-log.db.ts'
import type { Call } from '../../http/endpoint.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EventStream } from '../../http/event-stream.ts'
import { ApplicationId } from '../../http/fields.ts'
import { EventQuery, events, findResumePlace, visibleTypes } from './event.ts'

const description = (
  subject: string,
) => `Returns a stream of server-sent events (\`text/event-stream\`) that reports ${subject} within a fraction of a second, in the order in which the changes were committed. An event contains no fields of the resource: get its current state with another request.

The first event is \`ready\`. Load what you show after it, and apply each \`change\` event from then on: nothing that happens in between is missed. After a lost connection, send the \`id\` of the last event as \`Last-Event-ID\`, as \`EventSource\` does: the stream then starts with the changes that were made since. Each change is sent exactly once. Several changes to a resource that were made while the client was disconnected are sent as one.

\`type\` is the type of the resource. A changed stream, label or custom target is one event, although the builds that use it change too. Events of type \`release\` require the scope \`releases:read\`; events of type \`application\` require \`applications:read\` if the key is a workspace key.

A comment is sent every 15 seconds. It has an \`id\` if the client has received everything. The event \`end\` gives the reason why the server closes the stream: when it stops, when the key becomes invalid, when the application is deleted, or when the client reads too slowly. Reconnect after the time in \`retry\`.

Changes can be resumed for 30 days: for an older cursor, the response is 410. One key can open 100 streams at a time by default.`

export const watchEvents = endpoint({
  method: 'GET',
  path: '/applications/:application_id/events',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Watch events',
  description: description(
    'changes to the builds, releases, streams, labels and custom targets of an application',
  ),
  params: Type.Object({ application_id: ApplicationId }),
  query: EventQuery,
  streams: events,
  returns: EventStream,
  load: requireApplicationOfPath,
  handle: ({ application, ...call }) =>
    openStream(call, { workspaceId: application.workspace_id, applicationId: application.id }),
})

export const watchWorkspaceEvents = endpoint({
  method: 'GET',
  path: '/workspace/events',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Watch workspace events',
  description: description(
    'changes to the applications of the workspace and to their builds, releases, streams, labels and custom targets. An application key receives only the events of its application',
  ),
  query: EventQuery,
  streams: events,
  returns: EventStream,
  handle: (call) =>
    openStream(call, { workspaceId: call.actor.workspaceId, applicationId: call.actor.applicationId }),
})

async function openStream(call: Call & { query: { after?: string } }, owners: ChangeOwners) {
  const { db, actor, lastEventId, query, isHead, isKeyValid, eventStreams } = call
  const after = await findResumePlace(db, owners, { lastEventId, after: query.after })
  if (isHead) return null
  return eventStreams.open({
    owners,
    types: visibleTypes(actor),
    key: actor.keyId ?? `bootstrap ${actor.workspaceId}`,
    isAuthorized: isKeyValid,
    after,
  })
}
