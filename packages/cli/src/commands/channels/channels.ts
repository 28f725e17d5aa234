import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addChannelsAdoption } from './adoption.ts'
import { addChannelsCheck } from './check.ts'
import { addChannelsCreate } from './create.ts'
import { addChannelsDelete } from './delete.ts'
import { addChannelsEdit } from './edit.ts'
import { addChannelsList } from './list.ts'
import { addChannelsReadKeys } from './read-keys.ts'
import { addChannelsView } from './view.ts'

export function addChannels(program: Command, runtime: Runtime): void {
  const channels = addCommandGroup(
    program,
    'channels',
    'publish updates to installed copies of an application',
  )
  addChannelsList(channels, runtime)
  addChannelsView(channels, runtime)
  addChannelsCreate(channels, runtime)
  addChannelsEdit(channels, runtime)
  addChannelsDelete(channels, runtime)
  addChannelsCheck(channels, runtime)
  addChannelsAdoption(channels, runtime)
  addChannelsReadKeys(channels, runtime)
}
