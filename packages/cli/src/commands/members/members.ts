import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addMembersInvite } from './invite.ts'
import { addMembersList } from './list.ts'
import { addMembersRemove } from './remove.ts'

export function addMembers(program: Command, runtime: Runtime): void {
  const members = addCommandGroup(program, 'members', 'list, invite and remove members')
  addMembersList(members, runtime)
  addMembersInvite(members, runtime)
  addMembersRemove(members, runtime)
}
