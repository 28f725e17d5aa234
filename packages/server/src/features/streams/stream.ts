import { Type } from 'typebox'
import { changesOf } from '../../http/endpoint/changes.ts'
import { ApplicationId, Nullable, PathId, text, Timestamp, segmentName } from '../../http/endpoint/fields.ts'
import { problem } from '../../lib/problem.ts'

export const StreamParams = Type.Object({
  application_id: ApplicationId,
  stream_identifier: PathId('ID or name of the stream.'),
})

const fields = {
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  retention_days: Nullable(Type.Integer({ description: 'If `null`, builds never expire.' })),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Stream = Type.Object(fields, { title: 'Stream' })

export const SingleStream = Type.Object(
  { ...fields, application_id: Type.String(), workspace_id: Type.String() },
  { title: 'SingleStream' },
)

const input = {
  name: segmentName(100, 'Unique within its application or workspace, ignoring case.'),
  description: Nullable(text(1000)),
  retention_days: Nullable(
    Type.Integer({ minimum: 1, maximum: 36_500, description: 'If `null`, builds never expire.' }),
  ),
}

export const NewStream = Type.Object({
  name: input.name,
  description: Type.Optional(input.description),
  retention_days: Type.Optional(input.retention_days),
})

export const StreamChanges = changesOf(input)

export type StreamFields = { name: string; description: string | null; retention_days: number | null }

/** Returns the fields of a stream that the audit log records. */
export const streamAuditSnapshot = ({ name, description, retention_days }: StreamFields) => ({
  name,
  description,
  retention_days,
})

export const nameTaken = problem(
  'conflict',
  'stream.name_taken',
  'A stream named "{name}" already exists. Choose another name.',
)

export const nameIsId = problem(
  'conflict',
  'stream.name_is_id',
  '"{name}" is the ID of another stream. Choose another name.',
)

export const publishedByChannels = problem(
  'conflict',
  'stream.published',
  'Installed copies are updated from this stream by {channels}. Delete the channel or let it publish another stream first.',
)

const maxListedNames = 20

/** Returns the message for a stream that does not exist. It lists the names of the existing streams if they are few. */
export function unknownStream(idOrName: string, names: string[] = []): string {
  const isListed = names.length > 0 && names.length <= maxListedNames
  const hint = isListed ? ` Streams: ${names.join(', ')}.` : ''
  return `"${idOrName}" is not a stream of this application.${hint}`
}
