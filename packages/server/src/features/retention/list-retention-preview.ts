import { Type } from 'typebox'
import { requireApplication } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { pageFrom, pageOf, pageQuery, pagination, sortQuery } from '../../http/endpoint/pagination.ts'
import { requireStreamWithMoving } from '../streams/stream.db.ts'
import { StreamParams } from '../streams/stream.ts'
import { listPreviewPage } from './retention.db.ts'
import { retentionOutcome, RetentionOutcome, retentionSummary, RetentionSummary } from './retention.ts'

const perPage = 15

export const listRetentionPreview = endpoint({
  method: 'GET',
  path: '/applications/:application_id/streams/:stream_identifier/retention-preview',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'Preview stream retention',
  description:
    'Lists the builds of a stream by age, each with its expiry or the reasons why it is kept. `retention_days` previews another setting without saving it.',
  params: StreamParams,
  query: Type.Object({
    ...sortQuery(['created_at'], 'created_at'),
    ...pageQuery(perPage),
    retention_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 36_500,
        description: 'Overrides the setting of the stream in this preview.',
      }),
    ),
    outcome: Type.Optional(
      Type.Enum(['goes', 'stays'], { description: 'Returns only builds with this outcome.' }),
    ),
  }),
  returns: Type.Object({ ...pageOf(RetentionOutcome).properties, summary: RetentionSummary }),
  async load({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return {
      application,
      stream: await requireStreamWithMoving(db, application.id, params.stream_identifier),
    }
  },
  async handle({ db, application, stream, query, config }) {
    const { outcome, sort: direction = 'asc' } = query
    const retentionDays = query.retention_days ?? stream.retention_days
    const page = pageFrom(query, perPage)
    const preview = {
      applicationId: application.id,
      streamIds: [stream.id, ...stream.moving_ids],
      retentionDays,
      outcome,
      direction,
    }
    const { totals, rows } = await listPreviewPage(db, preview, page)
    const summary = retentionSummary(totals, retentionDays, config.trashDays)
    const total = outcome === undefined ? totals.all_builds : summary[outcome].builds
    return {
      message: 'Retention preview retrieved.',
      data: rows.map((row) => retentionOutcome(row, retentionDays)),
      pagination: pagination(page, total, rows.length),
      summary,
    }
  },
})
