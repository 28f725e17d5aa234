import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { confirmDeletionByName, yesOption } from '../../confirm.ts'
import type { ConfirmOptions } from '../../confirm.ts'
import { requireApplicationIdOf } from '../../require-application-id.ts'

export function addApplicationsDelete(parent: Command, runtime: Runtime): void {
  addCommand<ConfirmOptions>(parent, runtime, {
    usage: 'delete <application>',
    summary: 'move an application to the trash',
    description:
      'Move an application with all its builds to the trash. Its API keys, releases and share links stop working\n' +
      'until `quayside applications restore` restores it.',
    result: { id: false, deleted: false },
    example: 'quayside applications delete "My App"',
    options: (command) => command.option(...yesOption),
    async run(context, [argument], options) {
      const client = context.client()
      const call = { signal: context.signal }
      const application_id = await requireApplicationIdOf(context, argument)
      const { data } = await client.getApplication({ application_id }, call)
      const builds = data.build_count === 1 ? '1 build' : `${data.build_count} builds`
      const question = `This moves the application "${data.name}" with ${builds} to the trash.`
      await confirmDeletionByName(context, options, question, data.name)
      await client.deleteApplication({ application_id }, call)
      context.output.result({ id: application_id, deleted: true }, () =>
        [
          `Application "${data.name}" moved to the trash.`,
          `Restore it with \`quayside applications restore ${application_id}\`.`,
        ].join(' '),
      )
    },
  })
}
