import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addStreamsCreate } from './create.ts'
import { addStreamsDelete } from './delete.ts'
import { addStreamsEdit } from './edit.ts'
import { addStreamsList } from './list.ts'
import { addStreamsView } from './view.ts'

export function addStreams(program: Command, runtime: Runtime): void {
  const streams = addCommandGroup(program, 'streams', 'list, show, create, edit and delete streams')
  addStreamsList(streams, runtime)
  addStreamsView(streams, runtime)
  addStreamsCreate(streams, runtime)
  addStreamsEdit(streams, runtime)
  addStreamsDelete(streams, runtime)
}
