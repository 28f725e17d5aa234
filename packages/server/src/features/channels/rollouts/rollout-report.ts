import { Type, type Static } from 'typebox'
import { invalid, requireValid } from '../../../http/endpoint/validation.ts'
import { problem } from '../../../lib/problem.ts'
import type { Publication } from '../feeds/publication.ts'
import { operatingSystems } from './rollout.ts'

/** What a client reports after it has tried to install a version. Nothing identifies the client. */
const Report = Type.Object({
  version: Type.String({ minLength: 1, maxLength: 200 }),
  outcome: Type.Enum(['installed', 'failed']),
  platform: Type.Optional(Type.Enum([...operatingSystems])),
})

export type ReceivedReport = {
  channelId: string
  version: string
  outcome: 'installed' | 'failed'
  /** Empty if the report does not name it. */
  platform: string
}

const notJsonObject = problem(
  'bad_request',
  'report.not_json',
  'The report is not JSON. Send an object with `version` and `outcome`.',
)

/** Reads the body of a report. Throws a problem if it is invalid, or if the channel does not have the version. */
export function readReport(
  body: Buffer,
  { state, entries }: Pick<Publication, 'state' | 'entries'>,
): ReceivedReport {
  const value = parse(body)
  requireValid(Report, value, 'body')
  const { version, outcome, platform = '' } = value as Static<typeof Report>
  const text = version.replace(/^v(?=\d)/, '')
  if (!entries.some((entry) => entry.version === text))
    throw invalid({ version: ['must be a version that the channel publishes.'] })
  return { channelId: state.id, version: text, outcome, platform }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw notJsonObject()
  }
}
