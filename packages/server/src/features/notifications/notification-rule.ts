import { Type, type Static } from 'typebox'
import { findPlatform } from '../../catalog/platforms.ts'
import { changesOf } from '../../http/endpoint/changes.ts'
import type { ValidPart } from '../../http/endpoint/endpoint.ts'
import { Nullable, PathId, reference, Timestamp } from '../../http/endpoint/fields.ts'
import type { FieldErrors } from '../../http/endpoint/validation.ts'
import { problem } from '../../lib/problem.ts'

const conditions = ['stream', 'platform', 'label', 'own_only'] as const

/** What a person can be notified of, with the conditions that a rule for it can have. */
const conditionsByKind = {
  access_granted: [],
  access_request: [],
  build: ['stream', 'platform', 'label'],
  build_failed: ['stream', 'platform', 'own_only'],
  feedback: ['stream', 'platform', 'own_only'],
  mention: [],
  release: [],
  rollout_stopped: [],
} as const satisfies Record<string, readonly (typeof conditions)[number][]>

export type NotificationKind = keyof typeof conditionsByKind
const kinds = Object.keys(conditionsByKind) as NotificationKind[]

export const Kind = Type.Enum(kinds, {
  description:
    '`access_granted`: your request for access to an application is approved. `access_request`: a member of the workspace requests access to an application of which you are an admin. `build`: a build is uploaded, moved to the `stream` of the rule, or gets its `label`. `build_failed`: the file of a build cannot be read. `feedback`: a tester sends feedback. `mention`: somebody writes `@` and your name in notes or feedback. `release`: a release is published for the first time. `rollout_stopped`: the stop rule of a rollout stops it.',
  examples: ['build'],
})

const fields = {
  kind: Kind,
  application_id: Nullable(
    reference(255, 'ID of the application; `null` for every application that you can access.', {
      examples: [null],
    }),
  ),
  stream: Nullable(
    reference(255, 'Name of the stream of the build. For `build`, `build_failed` and `feedback`.', {
      minLength: 1,
    }),
  ),
  platform: Nullable(
    reference(255, 'Identifier of the platform of the build. For `build`, `build_failed` and `feedback`.', {
      minLength: 1,
      examples: [null],
    }),
  ),
  label: Nullable(
    reference(50, 'Name of a label of the build. For `build`.', { minLength: 1, examples: [null] }),
  ),
  own_only: Type.Boolean({
    description:
      'Whether the build must be one that you uploaded, in the console or with an API key that you created. For `build_failed` and `feedback`.',
    examples: [false],
  }),
  sends_email: Type.Boolean({
    description: 'Whether you also get an email, as `GET /notification-settings` describes.',
  }),
  sends_chat: Type.Boolean({
    description: 'Whether you also get a message in the chat of your notification settings.',
  }),
}

export const NotificationRule = Type.Object(
  {
    id: Type.String(),
    ...fields,
    application_id: Nullable(Type.String()),
    stream: Nullable(Type.String()),
    platform: Nullable(Type.String()),
    label: Nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'NotificationRule' },
)

export type NotificationRuleRow = Static<typeof NotificationRule>

const { kind, ...optional } = fields
export const NewNotificationRule = Type.Object({
  kind,
  ...Type.Partial(Type.Object(optional)).properties,
})
export const NotificationRuleChanges = changesOf(optional)

export type RuleFields = Pick<
  NotificationRuleRow,
  'kind' | 'application_id' | 'stream' | 'platform' | 'label' | 'own_only' | 'sends_email' | 'sends_chat'
>

export const RuleId = PathId('ID of the rule.')

export const maxRules = 100

export const tooManyRules = problem(
  'conflict',
  'notification_rule.limit_reached',
  `You can have at most ${maxRules} notification rules. Delete one first.`,
)

/** Returns what is wrong with a rule: conditions that its kind does not have, and an unknown platform. */
export function ruleErrors({ kind, platform, ...rule }: ValidPart<RuleFields>): FieldErrors {
  const errors: FieldErrors = {}
  const allowed: readonly string[] = kind === undefined ? conditions : conditionsByKind[kind]
  for (const [field, value] of Object.entries({ ...rule, platform }))
    if (value && (conditions as readonly string[]).includes(field) && !allowed.includes(field))
      errors[field] = [`is not a condition of rules for \`${kind}\`.`]
  if (typeof platform === 'string' && findPlatform(platform) === undefined)
    errors['platform'] ??= [`"${platform}" is not a platform.`]
  return errors
}
