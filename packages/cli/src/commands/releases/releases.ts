import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addReleasesAdd } from './add.ts'
import { addReleasesCreate } from './create.ts'
import { addReleasesDelete } from './delete.ts'
import { addReleasesEdit } from './edit.ts'
import { addReleasesList } from './list.ts'
import { addReleasesRemove } from './remove.ts'
import { addReleasesView } from './view.ts'

export function addReleases(program: Command, runtime: Runtime): void {
  const releases = addCommandGroup(program, 'releases', 'list, show, create and change releases')
  addReleasesList(releases, runtime)
  addReleasesView(releases, runtime)
  addReleasesCreate(releases, runtime)
  addReleasesEdit(releases, runtime)
  addReleasesAdd(releases, runtime)
  addReleasesRemove(releases, runtime)
  addReleasesDelete(releases, runtime)
}
