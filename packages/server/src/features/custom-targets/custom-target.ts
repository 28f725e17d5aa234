import { Type } from 'typebox'
import type { OwnerRef } from '../../access/owner.ts'
import { findPlatform } from '../../catalog/platforms.ts'
import { changesOf } from '../../http/endpoint/changes.ts'
import { name, Nullable, PathId, text, Timestamp } from '../../http/endpoint/fields.ts'
import { problem } from '../../lib/problem.ts'
import { iconUrl } from '../icons/icon.ts'

const fields = {
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  level: Type.Enum(['workspace', 'application']),
  platform: Type.Object({ identifier: Type.String(), name: Type.String() }),
  icon_url: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const CustomTarget = Type.Object(fields, { title: 'CustomTarget' })

export const SingleCustomTarget = Type.Object(
  { ...fields, application_id: Nullable(Type.String()), workspace_id: Type.String() },
  { title: 'SingleCustomTarget' },
)

export const CustomTargetIdentifier = PathId('ID or name of the custom target.')

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

/** The custom target that a path identifies, and the application or workspace in that path. */
export type LoadedCustomTarget = { owner: OwnerRef; customTarget: CustomTargetRow }

export const targetPlatform = (slug: string) => ({
  identifier: slug,
  name: findPlatform(slug)?.name ?? slug,
})

export function customTargetResource({ platform, ...row }: CustomTargetRow, publicUrl: string) {
  const { id, name, description, level, created_at, updated_at } = row
  return {
    id,
    name,
    description,
    level,
    platform: targetPlatform(platform),
    icon_url: iconUrl(publicUrl, row.icon_object_key),
    created_at,
    updated_at,
  }
}

/** Returns the API representation of a single custom target, including the IDs of its application and workspace. */
export const singleCustomTarget = (
  row: CustomTargetRow,
  { applicationId, workspaceId }: OwnerRef,
  publicUrl: string,
) => ({
  ...customTargetResource(row, publicUrl),
  application_id: row.level === 'application' ? applicationId : null,
  workspace_id: workspaceId,
})

export const customTargetAuditSnapshot = ({ name, description, platform }: CustomTargetRow) => ({
  name,
  description,
  platform,
})

const writableFields = {
  name: name(100, 'Unique within its application or workspace, ignoring case.'),
  description: Nullable(text(1000)),
}

export const NewCustomTarget = Type.Object({
  name: writableFields.name,
  description: Type.Optional(writableFields.description),
  platform: Type.String({
    maxLength: 50,
    description: 'Slug of the platform whose builds can use the custom target.',
  }),
})

/** Excludes the platform, because it must match the platform of the builds that use the target. */
export const CustomTargetChanges = changesOf(writableFields)

export const nameTaken = problem(
  'conflict',
  'custom_target.name_taken',
  'A custom target named "{name}" already exists. Choose another name.',
)

export const nameIsId = problem(
  'conflict',
  'custom_target.name_is_id',
  '"{name}" is the ID of another custom target. Choose another name.',
)

/** Throws 409 if an application's path refers to a workspace target, which cannot be changed there. */
export function requireOwnCustomTarget(owner: OwnerRef, target: CustomTargetRow): void {
  if (owner.applicationId !== null && target.level === 'workspace') throw targetOfWorkspace()
}

export const targetOfWorkspace = problem(
  'conflict',
  'custom_target.of_workspace',
  'This custom target belongs to the workspace. Change it at `/workspace/custom-targets`.',
)
