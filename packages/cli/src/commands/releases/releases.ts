import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addReleasesAdd } from './add.ts'
import { addReleasesCreate } from './create.ts'
import { addReleasesDelete } from './delete.ts'
import { addReleasesEdit } from './edit.ts'
import { addReleasesList } from './list.ts'
import { addReleasesPublish } from './publish.ts'
import { addReleasesRemove } from './remove.ts'
import { addReleasesSchedule } from './schedule.ts'
import { addReleasesView } from './view.ts'
import { addReleasesWithdraw } from './withdraw.ts'

export function addReleases(program: Command, runtime: Runtime): void {
  const releases = addCommandGroup(program, 'releases', 'list, show, create, change and publish releases')
  addReleasesList(releases, runtime)
  addReleasesView(releases, runtime)
  addReleasesCreate(releases, runtime)
  addReleasesEdit(releases, runtime)
  addReleasesAdd(releases, runtime)
  addReleasesRemove(releases, runtime)
  addReleasesPublish(releases, runtime)
  addReleasesSchedule(releases, runtime)
  addReleasesWithdraw(releases, runtime)
  addReleasesDelete(releases, runtime)
}
