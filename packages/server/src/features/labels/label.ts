import { Type } from 'typebox'
import { changesOf } from '../../http/changes.ts'
import { name, Nullable, text, Timestamp } from '../../http/fields.ts'
import { Problem } from '../../lib/problem.ts'

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

const colors = [
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

/** A colour for a label that came with an upload: the same name always gets the same one. */
export function colorFor(name: string): string {
  let sum = 0
  for (const character of name.toLowerCase()) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return colors[sum % colors.length] ?? '#8d8d8d'
}

const wish = {
  name: name(50, 'Name, unique at its level whatever its case.'),
  description: Nullable(text(1000)),
  color: Type.String({
    pattern: '^#[0-9a-fA-F]{6}$',
    patternMessage: 'must be a hex colour such as #30a46c.',
    examples: ['#30a46c'],
  }),
}

export const NewLabel = Type.Object({
  name: wish.name,
  description: Type.Optional(wish.description),
  color: Type.Optional(wish.color),
})

export const LabelChanges = changesOf(wish)

export const nameTaken = (name: string): Problem =>
  new Problem('conflict', 'label.name_taken', `There is a label named "${name}" at this level already.`)

export const belongsToWorkspace = (): Problem =>
  new Problem(
    'conflict',
    'label.of_workspace',
    'This label belongs to the workspace: change it below /workspace/labels.',
  )

/** What the given texts name: ids, and the texts that name nothing. */
export function namedLabels(texts: string[], found: { id: string; given: string }[]) {
  const known = new Set(found.map(({ given }) => given))
  return {
    ids: [...new Set(found.map(({ id }) => id))],
    unknown: texts.filter((text) => !known.has(text)),
  }
}
