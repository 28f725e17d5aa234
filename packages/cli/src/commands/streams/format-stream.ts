import type { Stream } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { withExistingNames } from '../../not-found.ts'
import { formatFields } from '../../output/format.ts'

/** Formats a stream as a list of fields. */
export function formatStream(stream: Stream): string {
  return formatFields([
    ['Stream', stream.id],
    ['Name', stream.name],
    ['Description', stream.description],
    ['Retention', formatRetention(stream)],
    ['Created', stream.created_at],
  ])
}

/** Formats how long builds stay in a stream, such as `30 days`. */
export function formatRetention({ retention_days }: Stream): string {
  if (retention_days === null) return 'indefinite'
  return retention_days === 1 ? '1 day' : `${retention_days} days`
}

/** Replaces a 404 error with a message that names the existing streams. */
export function withExistingStreams<Result>(
  { client, signal }: CommandContext,
  application_id: string,
  name: string,
  response: Promise<Result>,
): Promise<Result> {
  return withExistingNames(response, {
    what: `Stream "${name}"`,
    plural: 'Streams',
    command: 'quayside streams list',
    listNames: async () =>
      (await client().listStreams({ application_id }, { signal })).data.map((stream) => stream.name),
  })
}
