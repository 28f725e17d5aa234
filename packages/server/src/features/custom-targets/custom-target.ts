import { Type } from 'typebox'
import { findPlatform } from '../../catalog/platforms.ts'
import { Nullable, Timestamp } from '../../http/fields.ts'

export const CustomTarget = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    level: Type.Enum(['workspace', 'application']),
    platform: Type.Object({ identifier: Type.String(), name: Type.String() }),
    icon_url: Nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'CustomTarget' },
)

export type CustomTargetRow = {
  id: string
  name: string
  description: string | null
  level: 'workspace' | 'application'
  platform: string
  created_at: string
  updated_at: string
}

export function customTargetResource({ platform, ...row }: CustomTargetRow) {
  const { id, name, description, level, created_at, updated_at } = row
  return {
    id,
    name,
    description,
    level,
    platform: { identifier: platform, name: findPlatform(platform)?.name ?? platform },
    icon_url: null,
    created_at,
    updated_at,
  }
}
