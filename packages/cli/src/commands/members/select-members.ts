import type { CommandContext } from '../../command-context.ts'
import { requireApplicationId } from '../../require-application-id.ts'

export type MemberLevelOptions = { workspace?: boolean }

export const workspaceMembersOption = [
  '--workspace',
  'use the members of the workspace, even if QUAYSIDE_APPLICATION is set',
] as const

/** Returns the ID of the application whose members the command uses, or undefined for workspace members. */
export async function selectMemberApplicationId(
  context: CommandContext,
  { workspace }: MemberLevelOptions,
): Promise<string | undefined> {
  if (workspace === true || context.settings.application === undefined) return undefined
  return requireApplicationId(context)
}
