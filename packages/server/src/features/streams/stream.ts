import { Type } from 'typebox'
import { changesOf } from '../../http/changes.ts'
import { name, Nullable, text, Timestamp } from '../../http/fields.ts'
import { Problem } from '../../lib/problem.ts'

const fields = {
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  retention_days: Nullable(Type.Integer({ description: 'null = for ever' })),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Stream = Type.Object(fields, { title: 'Stream' })

export const SingleStream = Type.Object(
  { ...fields, application_id: Type.String(), workspace_id: Type.String() },
  { title: 'SingleStream' },
)

const wish = {
  name: name(100, 'Name, unique among its neighbours whatever its case.'),
  description: Nullable(text(1000)),
  retention_days: Nullable(Type.Integer({ minimum: 1, maximum: 36_500, description: 'null = for ever' })),
}

export const NewStream = Type.Object({
  name: wish.name,
  description: Type.Optional(wish.description),
  retention_days: Type.Optional(wish.retention_days),
})

export const StreamChanges = changesOf(wish)

/** What the audit log keeps of a stream. */
export function streamFacts({
  name,
  description,
  retention_days,
}: {
  name: string
  description: string | null
  retention_days: number | null
}) {
  return { name, description, retention_days }
}

export const nameTaken = (name: string): Problem =>
  new Problem('conflict', 'stream.name_taken', `There is a stream named "${name}" already.`)

/** The given texts that are neither id nor name of one of these. */
export const unknownStreams = (given: string[], found: { id: string; name: string }[]): string[] =>
  given.filter((text) => !found.some(({ id, name }) => id === text || name === text))
