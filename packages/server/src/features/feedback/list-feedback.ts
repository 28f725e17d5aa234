import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { pageFrom, pageOf, pageQuery, pagination, sortQuery } from '../../http/endpoint/pagination.ts'
import { feedbackFilters, loadFilteredApplication, readFeedbackFilter } from './feedback-query.ts'
import { listFeedbackPage } from './feedback.db.ts'
import { Feedback, feedbackResource } from './feedback.ts'

const perPage = 15

export const listFeedback = endpoint({
  method: 'GET',
  path: '/applications/:application_id/feedback',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'List feedback',
  description:
    'Lists what visitors of install and release pages wrote about the builds of the application. Turn feedback on with `feedback_enabled` of a share link, distribution group or portal.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object({
    ...feedbackFilters,
    ...sortQuery(['created_at'], 'created_at'),
    ...pageQuery(perPage),
  }),
  returns: pageOf(Feedback),
  load: loadFilteredApplication,
  async handle({ application, hasBuild, query, ...call }) {
    const filter = readFeedbackFilter(hasBuild, query)
    const page = pageFrom(query, perPage)
    const { rows, total } = await listFeedbackPage(call.db, application.id, filter, query.sort ?? 'asc', page)
    return {
      message: 'Feedback retrieved.',
      data: rows.map((row) => feedbackResource(row, call)),
      pagination: pagination(page, total, rows.length),
    }
  },
})
