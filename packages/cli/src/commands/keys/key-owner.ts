import { requireApplicationId } from '../../application-of.ts'
import type { CommandContext } from '../../command-context.ts'

export type KeyOwnerOptions = { workspace?: boolean }

/** The application whose keys are meant; undefined = the workspace's. */
export async function keyOwner(
  context: CommandContext,
  options: KeyOwnerOptions,
): Promise<string | undefined> {
  if (options.workspace === true || context.settings.application === undefined) return undefined
  return requireApplicationId(context)
}

export const workspaceOption = [
  '--workspace',
  'keys of the workspace, also where QUAYSIDE_APPLICATION is set',
] as const
