import type { Command } from 'commander'
import { addCommandGroup } from '../../../add-command.ts'
import type { Runtime } from '../../../command-context.ts'
import { addStorageDisable } from './disable.ts'
import { addStorageEnable } from './enable.ts'
import { addStorageRemove } from './remove.ts'
import { addStorageSet } from './set.ts'
import { addStorageTest } from './test.ts'
import { addStorageView } from './view.ts'

export function addApplicationsStorage(parent: Command, runtime: Runtime): void {
  const storage = addCommandGroup(parent, 'storage', 'store the files of an application in your own bucket')
  addStorageView(storage, runtime)
  addStorageSet(storage, runtime)
  addStorageTest(storage, runtime)
  addStorageEnable(storage, runtime)
  addStorageDisable(storage, runtime)
  addStorageRemove(storage, runtime)
}
