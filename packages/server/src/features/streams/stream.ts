import { Type } from 'typebox'
import { Nullable, Timestamp } from '../../http/fields.ts'

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
