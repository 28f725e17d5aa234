import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addBuildsDelete } from './delete.ts'
import { addBuildsDiff } from './diff.ts'
import { addDownload } from './download.ts'
import { addBuildsEdit } from './edit.ts'
import { addBuildsLabel } from './label.ts'
import { addBuildsList } from './list.ts'
import { addBuildsMove } from './move.ts'
import { addBuildsRestore } from './restore.ts'
import { addSync } from './sync.ts'
import { addBuildsView } from './view.ts'
import { addBuildsWatch } from './watch.ts'

export function addBuilds(program: Command, runtime: Runtime): void {
  const builds = addCommandGroup(program, 'builds', 'list, show and change builds')
  addBuildsList(builds, runtime)
  addBuildsView(builds, runtime)
  addBuildsDiff(builds, runtime)
  addDownload(builds, runtime)
  addSync(builds, runtime)
  addBuildsEdit(builds, runtime)
  addBuildsLabel(builds, runtime)
  addBuildsMove(builds, runtime)
  addBuildsDelete(builds, runtime)
  addBuildsRestore(builds, runtime)
  addBuildsWatch(builds, runtime)
}
