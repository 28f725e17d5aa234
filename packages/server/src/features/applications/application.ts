import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from '../../http/fields.ts'
import { sizeString } from '../../lib/sizes.ts'

const fields = {
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  icon_url: Nullable(Type.String()),
  custom_store_enabled: Type.Boolean(),
  storage_usage: Type.Object({
    total_bytes: Type.Integer(),
    total_string: Type.String(),
    hosted_bytes: Type.Integer(),
    self_hosted_bytes: Type.Integer(),
  }),
  workspace_id: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Application = Type.Object(fields, { title: 'Application' })

export const SingleApplication = Type.Object(
  { ...fields, build_count: Type.Integer() },
  { title: 'SingleApplication' },
)

export type ApplicationRow = {
  id: string
  workspace_id: string
  name: string
  description: string | null
  custom_store_enabled: boolean
  created_at: string
  updated_at: string
}

export function applicationResource(row: ApplicationRow, storedBytes: number): Static<typeof Application> {
  const { id, name, description, custom_store_enabled, workspace_id, created_at, updated_at } = row
  return {
    id,
    name,
    description,
    icon_url: null,
    custom_store_enabled,
    storage_usage: {
      total_bytes: storedBytes,
      total_string: sizeString(storedBytes),
      hosted_bytes: storedBytes,
      self_hosted_bytes: 0,
    },
    workspace_id,
    created_at,
    updated_at,
  }
}
