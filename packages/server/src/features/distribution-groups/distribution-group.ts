import { Type, type Static } from 'typebox'
import { changesOf } from '../../http/endpoint/changes.ts'
import { name, Nullable, PathId, text, Timestamp } from '../../http/endpoint/fields.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { problem } from '../../lib/problem.ts'
import { FeedbackEnabled } from '../feedback/feedback.ts'
import type { DistributionGroupRow } from './distribution-group.db.ts'

export const DistributionGroupId = PathId('ID of the distribution group.')

export const digests = ['none', 'daily', 'weekly'] as const
export type Digest = (typeof digests)[number]

export type GroupType = 'external' | 'internal'
type IconType = 'none' | 'emoji' | 'fa'

const GroupTypes = Type.Enum(['external', 'internal'], {
  description:
    '`external` accepts any email address. `internal` accepts only members of the workspace; a person who leaves the workspace receives no more emails, and their links stop working.',
})
const Digests = Type.Enum([...digests], {
  description:
    '`none`: one email per release. `daily` and `weekly`: one email with all releases, at 08:00 UTC every day or every Monday. Members can choose another setting.',
})
const IconTypes = Type.Enum(['none', 'emoji', 'fa'])

export const DistributionGroup = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    is_active: Type.Boolean(),
    type: GroupTypes,
    digest: Digests,
    icon_type: IconTypes,
    icon_emoji_code: Nullable(Type.String({ description: 'Set if `icon_type` is `emoji`.' })),
    icon_set_value: Nullable(Type.String({ description: 'Set if `icon_type` is `fa`.' })),
    has_testers: Type.Boolean(),
    tester_count: Type.Integer({ description: 'Number of members.' }),
    feedback_enabled: FeedbackEnabled,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'DistributionGroup' },
)

const writableFields = {
  name: name(100, 'Unique within the workspace, ignoring case.'),
  description: Nullable(text(1000)),
  is_active: Type.Boolean({
    description: '`false`: members are not notified of releases, and their links stop working.',
  }),
  type: GroupTypes,
  digest: Digests,
  feedback_enabled: FeedbackEnabled,
  icon_type: IconTypes,
  icon_emoji_code: Nullable(
    Type.String({
      maxLength: 50,
      pattern: '^\\S+$',
      description: 'Emoji or its code point. Required if `icon_type` is `emoji`.',
      examples: ['1f680'],
    }),
  ),
  icon_set_value: Nullable(
    Type.String({
      maxLength: 100,
      pattern: '^[A-Za-z0-9][A-Za-z0-9 -]*$',
      patternMessage: 'must contain only letters, digits, hyphens and spaces.',
      description: 'Name of the icon in the icon set. Required if `icon_type` is `fa`.',
      examples: ['rocket'],
    }),
  ),
}

export const NewDistributionGroup = Type.Object({
  ...Type.Partial(Type.Object(writableFields)).properties,
  name: writableFields.name,
})

export const DistributionGroupChanges = changesOf(writableFields)

type Icon = { icon_type: IconType; icon_emoji_code: string | null; icon_set_value: string | null }

export const noIcon: Icon = { icon_type: 'none', icon_emoji_code: null, icon_set_value: null }

const iconFields = { icon_emoji_code: 'emoji', icon_set_value: 'fa' } as const

/**
 * Returns the icon after a change, with only the value that its type requires; throws `invalid` if that value is
 * missing or the other value is set.
 */
export function changedIcon(
  before: Icon,
  changes: { icon_type?: IconType; icon_emoji_code?: string | null; icon_set_value?: string | null },
): Icon {
  const icon_type = changes.icon_type ?? before.icon_type
  const after = { ...noIcon, icon_type }
  for (const field of ['icon_emoji_code', 'icon_set_value'] as const) {
    const value = changes[field]
    if (icon_type !== iconFields[field]) {
      if (value !== undefined && value !== null)
        throw invalid({ [field]: [`is only allowed when \`icon_type\` is "${iconFields[field]}".`] })
      continue
    }
    after[field] = value === undefined ? before[field] : value
    if (after[field] === null)
      throw invalid({ [field]: [`is required when \`icon_type\` is "${icon_type}".`] })
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
    digest: row.digest as Digest,
    icon_type: row.icon_type as IconType,
    icon_emoji_code,
    icon_set_value,
    has_testers: tester_count > 0,
    tester_count,
    feedback_enabled: row.feedback_enabled,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** Returns the attributes of a group that the audit log records. */
export function distributionGroupAuditSnapshot(row: DistributionGroupRow) {
  const { name, description, is_active, type, icon_type, icon_emoji_code, icon_set_value, tester_count } = row
  const { digest, feedback_enabled } = row
  return {
    name,
    description,
    is_active,
    type,
    icon_type,
    icon_emoji_code,
    icon_set_value,
    tester_count,
    digest,
    feedback_enabled,
  }
}

export const nameTaken = problem(
  'conflict',
  'distribution_group.name_taken',
  'A distribution group with this name already exists. Choose another name.',
)
