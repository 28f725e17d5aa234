import type { CommandContext } from '../../command-context.ts'
import { withExistingNames } from '../../not-found.ts'
import { formatFields } from '../../output/format.ts'
import { requireApplicationId } from '../../require-application-id.ts'

export type LabelLevelOptions = { workspace?: boolean }

export const workspaceLabelsOption = [
  '--workspace',
  'use workspace labels instead of application labels',
] as const

/** Returns the ID of the application whose labels the command uses, or undefined for workspace labels. */
export async function selectLabelApplicationId(
  context: CommandContext,
  { workspace }: LabelLevelOptions,
): Promise<string | undefined> {
  return workspace === true ? undefined : requireApplicationId(context)
}

/** Replaces a 404 error with a message that names the existing labels. */
export function withExistingLabels<Result>(
  { client, signal }: CommandContext,
  application_id: string | undefined,
  name: string,
  response: Promise<Result>,
): Promise<Result> {
  const list = () =>
    application_id === undefined
      ? client().listWorkspaceLabels({}, { signal })
      : client().listLabels({ application_id }, { signal })
  return withExistingNames(response, {
    what: `Label "${name}"`,
    plural: 'Labels',
    command: `quayside labels list${application_id === undefined ? ' --workspace' : ''}`,
    listNames: async () => (await list()).data.map((label) => label.name),
  })
}

type LabelFields = { id: string; name: string; description: string | null; color: string; level: string }

/** Formats a label as a list of fields. */
export function formatLabel(label: LabelFields): string {
  return formatFields([
    ['Label', label.id],
    ['Name', label.name],
    ['Level', label.level],
    ['Color', label.color],
    ['Description', label.description],
  ])
}
