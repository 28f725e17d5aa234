import { Type, type Static } from 'typebox'
import { changesOf } from '../../http/changes.ts'
import { name, Nullable, PathId, text, Timestamp } from '../../http/fields.ts'
import { invalid } from '../../http/validation.ts'
import { Problem } from '../../lib/problem.ts'
import type { DistributionGroupRow } from './distribution-group.db.ts'

export const DistributionGroupId = PathId('Id of the distribution group.')

export type GroupType = 'external' | 'internal'
type IconType = 'none' | 'emoji' | 'fa'

const GroupTypes = Type.Enum(['external', 'internal'], {
  description:
    'external: anybody by e-mail address. internal: members of the workspace only; who leaves the workspace gets no more mails and the links of that person stop.',
})
const IconTypes = Type.Enum(['none', 'emoji', 'fa'])

export const DistributionGroup = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    is_active: Type.Boolean(),
    type: GroupTypes,
    icon_type: IconTypes,
    icon_emoji_code: Nullable(Type.String({ description: 'With icon_type emoji.' })),
    icon_set_value: Nullable(Type.String({ description: 'With icon_type fa.' })),
    has_testers: Type.Boolean(),
    tester_count: Type.Integer({ description: 'Members of the group.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'DistributionGroup' },
)

const wish = {
  name: name(100, 'Name for people; each once in a workspace, whatever its case.'),
  description: Nullable(text(1000)),
  is_active: Type.Boolean({ description: 'false: nobody is told of releases, and the links stop.' }),
  type: GroupTypes,
  icon_type: IconTypes,
  icon_emoji_code: Nullable(
    Type.String({ maxLength: 50, pattern: '^\\S+$', description: 'With emoji.', examples: ['1f680'] }),
  ),
  icon_set_value: Nullable(
    Type.String({
      maxLength: 100,
      pattern: '^[A-Za-z0-9][A-Za-z0-9 -]*$',
      patternMessage: 'must be letters, digits, hyphens and blanks.',
      description: 'Name in the icon set, with fa.',
      examples: ['rocket'],
    }),
  ),
}

export const NewDistributionGroup = Type.Object({
  ...Type.Partial(Type.Object(wish)).properties,
  name: wish.name,
})

export const DistributionGroupChanges = changesOf(wish)

type Icon = { icon_type: IconType; icon_emoji_code: string | null; icon_set_value: string | null }

export const noIcon: Icon = { icon_type: 'none', icon_emoji_code: null, icon_set_value: null }

const iconFields = { icon_emoji_code: 'emoji', icon_set_value: 'fa' } as const

/** The icon after a change: exactly the value that its type asks for; throws `invalid` where that is not given. */
export function changedIcon(
  before: Icon,
  given: { icon_type?: IconType; icon_emoji_code?: string | null; icon_set_value?: string | null },
): Icon {
  const icon_type = given.icon_type ?? before.icon_type
  const after = { ...noIcon, icon_type }
  for (const field of ['icon_emoji_code', 'icon_set_value'] as const) {
    const value = given[field]
    if (icon_type !== iconFields[field]) {
      if (value !== undefined && value !== null)
        throw invalid({ [field]: [`goes with icon_type ${iconFields[field]} only.`] })
      continue
    }
    after[field] = value === undefined ? before[field] : value
    if (after[field] === null) throw invalid({ [field]: [`is required with icon_type ${icon_type}.`] })
  }
  return after
}

export function distributionGroupResource(row: DistributionGroupRow): Static<typeof DistributionGroup> {
  const { id, name, description, is_active, icon_emoji_code, icon_set_value, tester_count } = row
  return {
    id,
    name,
    description,
    is_active,
    type: row.type as GroupType,
    icon_type: row.icon_type as IconType,
    icon_emoji_code,
    icon_set_value,
    has_testers: tester_count > 0,
    tester_count,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** What the audit log keeps of a group. */
export function distributionGroupFacts(row: DistributionGroupRow) {
  const { name, description, is_active, type, icon_type, icon_emoji_code, icon_set_value, tester_count } = row
  return { name, description, is_active, type, icon_type, icon_emoji_code, icon_set_value, tester_count }
}

export const nameTaken = (): Problem =>
  new Problem(
    'conflict',
    'distribution_group.name_taken',
    'A distribution group of this name exists already. Choose another name.',
  )
