import { Type, type Static } from 'typebox'
import type { OwnerRef } from '../../access/owner.ts'
import { changesOf } from '../../http/endpoint/changes.ts'
import { Nullable, PathId, text, Timestamp, segmentName } from '../../http/endpoint/fields.ts'
import { problem } from '../../lib/problem.ts'

const fields = {
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  color: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
  level: Type.Enum(['application', 'workspace']),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Label = Type.Object(fields, { title: 'Label' })

export const SingleLabel = Type.Object(
  { ...fields, application_id: Nullable(Type.String()), workspace_id: Type.String() },
  { title: 'SingleLabel' },
)

export const LabelIdentifier = PathId('ID or name of the label.')

export type LabelRow = Static<typeof Label>

/** The label that a path identifies, and the application or workspace in that path. */
export type LoadedLabel = { owner: OwnerRef; label: LabelRow }

export const labelResource = (label: LabelRow, { applicationId, workspaceId }: OwnerRef) => ({
  ...label,
  application_id: label.level === 'application' ? applicationId : null,
  workspace_id: workspaceId,
})

export const labelAuditSnapshot = ({ name, description, color }: LabelRow) => ({ name, description, color })

/** The colors of new labels, which the console also offers. */
export const labelColors = [
  '#e5484d',
  '#f76b15',
  '#ffc53d',
  '#30a46c',
  '#12a594',
  '#0090ff',
  '#3e63dd',
  '#8e4ec6',
  '#d6409f',
  '#8d8d8d',
]

/** Derives the default color of a label from its name, ignoring case. */
export function colorFor(name: string): string {
  let sum = 0
  for (const character of name.toLowerCase()) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return labelColors[sum % labelColors.length] ?? '#8d8d8d'
}

const writableFields = {
  name: segmentName(50, 'Unique within its application or workspace, ignoring case.'),
  description: Nullable(text(1000)),
  color: Type.String({
    pattern: '^#[0-9a-fA-F]{6}$',
    patternMessage: 'must be a hex color such as #30a46c.',
    examples: ['#30a46c'],
  }),
}

export const NewLabel = Type.Object({
  name: writableFields.name,
  description: Type.Optional(writableFields.description),
  color: Type.Optional(writableFields.color),
})

export const LabelChanges = changesOf(writableFields)

export const nameTaken = problem(
  'conflict',
  'label.name_taken',
  'A label named "{name}" already exists. Choose another name.',
)

export const nameIsId = problem(
  'conflict',
  'label.name_is_id',
  '"{name}" is the ID of another label. Choose another name.',
)

/** Throws 409 if an application's path refers to a workspace label, which cannot be changed there. */
export function requireOwnLabel(owner: OwnerRef, label: LabelRow): void {
  if (owner.applicationId !== null && label.level === 'workspace') throw labelOfWorkspace()
}

export const labelOfWorkspace = problem(
  'conflict',
  'label.of_workspace',
  'This label belongs to the workspace. Change it at `/workspace/labels`.',
)

export const unknownLabel = (idOrName: string): string => `"${idOrName}" is not a label of this application.`
