import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { requireApplicationId } from '../../require-application-id.ts'

export function addFeedbackClose(parent: Command, runtime: Runtime): void {
  addCommand<{ reopen?: boolean }>(parent, runtime, {
    usage: 'close <feedback>',
    summary: 'close or reopen feedback',
    result: 'updateFeedback',
    example: 'quayside feedback close 8zkx4c2m7p',
    options: (command) => command.option('--reopen', 'open the feedback again'),
    async run(context, [feedback_id = ''], options) {
      const application_id = await requireApplicationId(context)
      const state = options.reopen === true ? 'open' : 'closed'
      const { message, data } = await context
        .client()
        .updateFeedback({ application_id, feedback_id, body: { state } }, { signal: context.signal })
      context.output.result(data, () => message)
    },
  })
}
