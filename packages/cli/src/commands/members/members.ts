import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addMembersApprove, addMembersDecline } from './decide.ts'
import { addMembersInvite } from './invite.ts'
import { addMembersList } from './list.ts'
import { addMembersRemove } from './remove.ts'
import { addMembersRequests } from './requests.ts'

export function addMembers(program: Command, runtime: Runtime): void {
  const members = addCommandGroup(
    program,
    'members',
    'list, invite and remove members, and decide on access requests',
  )
  addMembersList(members, runtime)
  addMembersInvite(members, runtime)
  addMembersRemove(members, runtime)
  addMembersRequests(members, runtime)
  addMembersApprove(members, runtime)
  addMembersDecline(members, runtime)
}
