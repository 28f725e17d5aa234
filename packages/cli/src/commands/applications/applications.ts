import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addApplicationsCreate } from './create.ts'
import { addApplicationsStorage } from './custom-stores/custom-stores.ts'
import { addApplicationsDelete } from './delete.ts'
import { addApplicationsEdit } from './edit.ts'
import { addApplicationsList } from './list.ts'
import { addApplicationsRestore } from './restore.ts'
import { addApplicationsView } from './view.ts'

export function addApplications(program: Command, runtime: Runtime): void {
  const applications = addCommandGroup(program, 'applications', 'create, list, show and change applications')
  addApplicationsList(applications, runtime)
  addApplicationsView(applications, runtime)
  addApplicationsCreate(applications, runtime)
  addApplicationsEdit(applications, runtime)
  addApplicationsDelete(applications, runtime)
  addApplicationsRestore(applications, runtime)
  addApplicationsStorage(applications, runtime)
}
