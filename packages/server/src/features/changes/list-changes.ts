import { Type } from 'typebox'
import { applicationRef, requireApplicationOfPath } from '../../access/application.db.ts'
import { requireScope } from '../../http/endpoint/actor.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import {
  Change,
  cursorExpired,
  cursorText,
  cursorUnknown,
  readCursor,
  readPage,
  startCursor,
} from './change.ts'

const defaultLimit = 100

export const listChanges = endpoint({
  method: 'GET',
  path: '/applications/:application_id/changes',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  readsPrimary: true,
  summary: 'List changes',
  description: `Lists the builds and releases that changed, in the order in which the changes were committed. Use it to keep a copy up to date: unlike a list filtered by time, it misses nothing that is created or changed while you read.

Without \`cursor\`, the feed starts with everything that exists. Repeat the call with the \`cursor\` of each response: immediately while \`has_more\` is \`true\`, and later to get new changes. Save the cursor after processing a page; requesting a page again is harmless, because each entry contains the current state. Several changes to a resource may be listed as one.

A build or release is listed again whenever one of its fields here changes, including its stream, labels and custom target, the checksums of its files, and the builds of a release. It is listed with \`deleted\` when it is deleted or moved to the trash, and again when it is restored. Deletions are kept for 30 days: for an older cursor, the response is 410, and you must start over without a cursor.

Releases are listed if the key had \`releases:read\` when the feed was started; continuing such a feed requires that scope. Get download links for a page of builds with one \`POST /applications/{application_id}/builds/downloads\`.

A change is listed once all transactions that began before it have ended. The response waits for them, usually for milliseconds and at most for 10 seconds, so it includes everything that was committed before the request. A transaction left open in the database for longer delays the feed, but no changes are lost.`,
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object({
    cursor: Type.Optional(
      Type.String({ maxLength: 2000, description: 'Opaque `cursor` of the previous response.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: defaultLimit,
        description: 'Maximum number of entries.',
      }),
    ),
  }),
  refuses: [cursorExpired, cursorUnknown],
  returns: Type.Object({
    message: Type.String(),
    data: Type.Array(Change),
    cursor: Type.String({ description: 'Cursor for the next request.' }),
    has_more: Type.Boolean({ description: 'Whether more changes can be read immediately.' }),
  }),
  load: requireApplicationOfPath,
  async handle({ db, actor, application, query, config }) {
    const ref = applicationRef(application)
    const cursor =
      query.cursor === undefined
        ? await startCursor(db, ref, actor.scopes.has('releases:read'))
        : readCursor(query.cursor, ref)
    if (cursor.includesReleases)
      requireScope(actor, { workspace: 'releases:read', application: 'releases:read' })
    const page = await readPage(db, cursor, query.limit ?? defaultLimit, config)
    return {
      message: 'Changes retrieved.',
      data: page.data,
      cursor: cursorText(page.cursor),
      has_more: page.hasMore,
    }
  },
})
