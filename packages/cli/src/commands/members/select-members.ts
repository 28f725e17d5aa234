import { allItems } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
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

export const memberNotFound = (selected: string): string =>
  `Member ${selected} was not found. Run \`quayside members list\` to see the members.`

/** Returns the ID of the member with this ID or email address, of the application if one is passed. */
export async function requireMemberId(
  { client, signal }: CommandContext,
  application_id: string | undefined,
  selected: string,
): Promise<string> {
  if (!selected.includes('@')) return selected
  // The API limits a search to 50 characters.
  const search = { search: selected.slice(0, 50), per_page: 100 }
  const members = await allItems<{ id: string; email: string }>((page) =>
    application_id === undefined
      ? client().listWorkspaceMembers({ ...search, page }, { signal })
      : client().listApplicationMembers({ application_id, ...search, page }, { signal }),
  )
  const member = members.find(({ email }) => email.toLowerCase() === selected.toLowerCase())
  if (member) return member.id
  throw new Failure('failed', memberNotFound(selected))
}
