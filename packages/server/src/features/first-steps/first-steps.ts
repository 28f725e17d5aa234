import { Type, type Static } from 'typebox'
import type { Actor } from '../../http/endpoint/actor.ts'
import { changesOf } from '../../http/endpoint/changes.ts'
import { scopesOfApplicationRole } from '../../http/endpoint/roles.ts'
import type { ApplicationScope, Scope, WorkspaceScope } from '../../http/endpoint/scopes.ts'

/** The steps in their order, each with the scope without which a person cannot take it. */
const steps = {
  first_build: { anywhere: 'builds:create' },
  phone: { anywhere: 'builds:read' },
  api_key: { workspace: 'api_keys:create' },
  invitation: { workspace: 'members:write' },
  share_link: { anywhere: 'share_links:create' },
} as const satisfies Record<
  string,
  { anywhere: ApplicationScope & WorkspaceScope } | { workspace: WorkspaceScope }
>

type StepName = keyof typeof steps
const stepNames = Object.keys(steps) as StepName[]

/** Which steps the workspace has taken. */
export type StepsDone = Record<StepName, boolean>

const choices = {
  hidden: Type.Boolean({ description: 'Whether you have hidden the steps.' }),
  phone_card_hidden: Type.Boolean({
    description:
      'Whether you have hidden the QR code that new builds show until a phone has opened the service.',
  }),
}

export const FirstSteps = Type.Object(
  {
    steps: Type.Array(
      Type.Object({
        name: Type.Enum(stepNames, {
          description:
            'The step: `first_build` uploads a build, `phone` signs in or downloads a build on a phone, `api_key` creates an API key or a trusted publisher, `invitation` invites a member, and `share_link` shares a build or release.',
        }),
        done: Type.Boolean({ description: 'Whether anyone in the workspace has taken the step.' }),
      }),
      {
        description:
          'The steps that your role allows, in their order. The sample application counts in none.',
      },
    ),
    ...choices,
  },
  { title: 'FirstSteps' },
)

export const FirstStepChanges = changesOf(choices)

/** Returns the steps that the caller may take. */
export function firstSteps(
  actor: Actor,
  { done, hidden, phone_card_hidden }: { done: StepsDone; hidden: boolean; phone_card_hidden: boolean },
): Static<typeof FirstSteps> {
  const roles = new Set(actor.session?.applicationRoles?.values())
  const scopes = new Set<Scope>([
    ...actor.scopes,
    ...[...roles].flatMap((role) => [...scopesOfApplicationRole(role)]),
  ])
  const isAllowed = (name: StepName): boolean => {
    const step = steps[name]
    return 'workspace' in step ? actor.scopes.has(step.workspace) : scopes.has(step.anywhere)
  }
  return {
    steps: stepNames.filter(isAllowed).map((name) => ({ name, done: done[name] })),
    hidden,
    phone_card_hidden,
  }
}
