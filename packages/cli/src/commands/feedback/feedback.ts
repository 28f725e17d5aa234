import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addFeedbackClose } from './close.ts'
import { addFeedbackList } from './list.ts'

export function addFeedback(program: Command, runtime: Runtime): void {
  const feedback = addCommandGroup(program, 'feedback', 'list and close the feedback of testers')
  addFeedbackList(feedback, runtime)
  addFeedbackClose(feedback, runtime)
}
