import { Type } from 'typebox'
import { Nullable, Timestamp } from '../../http/fields.ts'

export const Workspace = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    subdomain: Nullable(Type.String()),
    logo_url: Nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Workspace' },
)
