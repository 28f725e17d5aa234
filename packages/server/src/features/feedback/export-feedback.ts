import { Type, type Static } from 'typebox'
import { csvFile } from '../../http/endpoint/csv-response.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { FileResponse } from '../../http/endpoint/file-response.ts'
import { feedbackFilters, loadFilteredApplication, readFeedbackFilter } from './feedback-query.ts'
import { listFeedbackPage } from './feedback.db.ts'
import { feedbackResource, type Feedback } from './feedback.ts'

const maxRows = 10_000

export const exportFeedback = endpoint({
  method: 'GET',
  path: '/applications/:application_id/feedback/export',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Export feedback',
  description: `Returns the latest ${maxRows.toLocaleString('en-US')} entries of the list as one file: CSV by default, or the resources as JSON.`,
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object({
    ...feedbackFilters,
    format: Type.Optional(Type.Enum(['csv', 'json'], { default: 'csv' })),
  }),
  serves: ['text/csv', 'application/json'],
  returns: FileResponse,
  load: loadFilteredApplication,
  async handle({ application, hasBuild, query, ...call }) {
    const { format = 'csv' } = query
    const filter = readFeedbackFilter(hasBuild, query)
    const page = { limit: maxRows, offset: 0, number: 1 }
    const { rows } = await listFeedbackPage(call.db, application.id, filter, 'desc', page)
    const entries = rows.map((row) => feedbackResource(row, call))
    const text = format === 'json' ? `${JSON.stringify(entries, null, 2)}\n` : csvOf(entries)
    return {
      contentType: format === 'json' ? 'application/json' : 'text/csv; charset=utf-8',
      bytes: Buffer.from(text),
      isPrivate: true,
    }
  },
})

type Entry = Static<typeof Feedback>

const columns: Record<string, (entry: Entry) => string | number | null> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  state: ({ state }) => state,
  rating: ({ rating }) => rating,
  text: ({ text }) => text,
  name: ({ name }) => name,
  email: ({ email }) => email,
  device: ({ device }) => device,
  os: ({ os }) => os,
  build_id: ({ build }) => build.id,
  version: ({ build }) => build.version,
  build_number: ({ build }) => build.build_number,
  platform: ({ build }) => build.platform.identifier,
  stream: ({ stream }) => stream?.name ?? null,
  channel: ({ channel }) => channel,
  closed_at: ({ closed_at }) => closed_at,
  closed_by: ({ closed_by }) => closed_by?.name ?? null,
  screenshots: ({ screenshots }) => screenshots.map(({ url }) => url).join(' '),
}

const csvOf = (entries: readonly Entry[]): string =>
  csvFile(
    Object.keys(columns),
    entries.map((entry) => Object.values(columns).map((valueOf) => valueOf(entry))),
  )
