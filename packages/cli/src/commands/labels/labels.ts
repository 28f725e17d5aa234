import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addLabelsCreate } from './create.ts'
import { addLabelsDelete } from './delete.ts'
import { addLabelsEdit } from './edit.ts'
import { addLabelsList } from './list.ts'
import { addLabelsPromote } from './promote.ts'

export function addLabels(program: Command, runtime: Runtime): void {
  const labels = addCommandGroup(program, 'labels', 'list, create, edit, delete and promote labels')
  addLabelsList(labels, runtime)
  addLabelsCreate(labels, runtime)
  addLabelsEdit(labels, runtime)
  addLabelsDelete(labels, runtime)
  addLabelsPromote(labels, runtime)
}
