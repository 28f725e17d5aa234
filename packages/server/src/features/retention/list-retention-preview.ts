import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, PathId } from '../../http/fields.ts'
import { pageFrom, pageOf, pageQuery, pagination, sortQuery } from '../../http/pagination.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireStreamWithMoving } from '../streams/stream.db.ts'
import { listPreviewPage } from './retention.db.ts'
import { retentionOutcome, RetentionOutcome, retentionSummary, RetentionSummary } from './retention.ts'

const perPage = 15

export const listRetentionPreview = endpoint({
  method: 'GET',
  path: '/applications/:application_id/streams/:stream_identifier/retention-preview',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'Which builds of a stream go when, and why each of the others stays',
  description:
    'In the order of their age, as they go. `retention_days` tries another setting before it is saved: nothing is changed.',
  params: Type.Object({
    application_id: ApplicationId,
    stream_identifier: PathId('Id or name of the stream.'),
  }),
  query: Type.Object({
    ...sortQuery(['created_at'], 'created_at'),
    ...pageQuery(perPage),
    retention_days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 36_500, description: 'Instead of what the stream has now.' }),
    ),
    outcome: Type.Optional(Type.Enum(['goes', 'stays'], { description: 'These builds alone.' })),
  }),
  returns: Type.Object({ ...pageOf(RetentionOutcome).properties, summary: RetentionSummary }),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { stream: await requireStreamWithMoving(db, application.id, params.stream_identifier) }
  },
  async handle({ db, stream, query, config }) {
    const { outcome, sort: direction = 'asc' } = query
    const retentionDays = query.retention_days ?? stream.retention_days
    const page = pageFrom(query, perPage)
    const preview = {
      streamIds: [stream.id, ...stream.moving_ids],
      retentionDays,
      outcome,
      direction,
    }
    const { totals, rows } = await listPreviewPage(db, preview, page)
    const summary = retentionSummary(totals, retentionDays, config.trashDays)
    const total = outcome === undefined ? totals.all_builds : summary[outcome].builds
    return {
      message: 'Retention previewed.',
      data: rows.map((row) => retentionOutcome(row, retentionDays)),
      pagination: pagination(page, total, rows.length),
      summary,
    }
  },
})
