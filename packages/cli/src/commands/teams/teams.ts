import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addTeamsAdd, addTeamsRemove } from './change-members.ts'
import { addTeamsCreate } from './create.ts'
import { addTeamsDelete } from './delete.ts'
import { addTeamsEdit } from './edit.ts'
import { addTeamsGrant } from './grant.ts'
import { addTeamsList } from './list.ts'
import { addTeamsRevoke } from './revoke.ts'

export function addTeams(program: Command, runtime: Runtime): void {
  const teams = addCommandGroup(program, 'teams', 'manage teams, their members and their roles')
  addTeamsList(teams, runtime)
  addTeamsCreate(teams, runtime)
  addTeamsEdit(teams, runtime)
  addTeamsDelete(teams, runtime)
  addTeamsAdd(teams, runtime)
  addTeamsRemove(teams, runtime)
  addTeamsGrant(teams, runtime)
  addTeamsRevoke(teams, runtime)
}
