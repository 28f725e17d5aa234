import { Type } from 'typebox'
import { findPlatform } from '../../catalog/platforms.ts'
import { changesOf } from '../../http/changes.ts'
import { name, Nullable, text, Timestamp } from '../../http/fields.ts'
import { Problem } from '../../lib/problem.ts'
import { iconUrl } from '../icons/icon.ts'

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
  icon_object_key: string | null
  created_at: string
  updated_at: string
}

export function customTargetResource({ platform, ...row }: CustomTargetRow, publicUrl: string) {
  const { id, name, description, level, created_at, updated_at } = row
  return {
    id,
    name,
    description,
    level,
    platform: { identifier: platform, name: findPlatform(platform)?.name ?? platform },
    icon_url: iconUrl(publicUrl, row.icon_object_key),
    created_at,
    updated_at,
  }
}

const wish = {
  name: name(100, 'Name, unique at its level whatever its case.'),
  description: Nullable(text(1000)),
}

export const NewCustomTarget = Type.Object({
  name: wish.name,
  description: Type.Optional(wish.description),
  platform: Type.String({ maxLength: 50, description: 'Slug of the platform whose builds may name it.' }),
})

/** The platform stays: builds of it refer to the target. */
export const CustomTargetChanges = changesOf(wish)

export const nameTaken = (name: string): Problem =>
  new Problem(
    'conflict',
    'custom_target.name_taken',
    `There is a custom target named "${name}" at this level already.`,
  )

export const inUse = (): Problem =>
  new Problem(
    'conflict',
    'custom_target.in_use',
    'Builds (perhaps in the trash) refer to this custom target.',
  )

export const belongsToWorkspace = (): Problem =>
  new Problem(
    'conflict',
    'custom_target.of_workspace',
    'This custom target belongs to the workspace: change it below /workspace/custom-targets.',
  )

/** The given texts that are neither id nor name of one of these. */
export const unknownCustomTargets = (given: string[], found: { id: string; name: string }[]): string[] =>
  given.filter((text) => !found.some(({ id, name }) => id === text || name === text))
