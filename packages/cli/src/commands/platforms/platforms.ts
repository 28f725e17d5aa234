import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addPlatformsAdd } from './add.ts'
import { addPlatformsList } from './list.ts'
import { addPlatformsRemove } from './remove.ts'

export function addPlatforms(program: Command, runtime: Runtime): void {
  const platforms = addCommandGroup(
    program,
    'platforms',
    'list, add and remove the platforms of an application',
  )
  addPlatformsList(platforms, runtime)
  addPlatformsAdd(platforms, runtime)
  addPlatformsRemove(platforms, runtime)
}
