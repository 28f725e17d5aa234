import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { confirmDeletion, yesOption } from '../../confirm.ts'
import type { ConfirmOptions } from '../../confirm.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { requireReleaseId } from './select-release.ts'

export function addReleasesDelete(parent: Command, runtime: Runtime): void {
  addCommand<ConfirmOptions>(parent, runtime, {
    usage: 'delete <release>',
    summary: 'delete a release',
    description: 'Delete a release permanently. Its builds are kept.',
    result: { id: false, deleted: false },
    example: 'quayside releases delete 1.2.3',
    options: (command) => command.option(...yesOption),
    async run(context, [selected = ''], options) {
      const application_id = await requireApplicationId(context)
      const release_id = await requireReleaseId(context, application_id, selected)
      await confirmDeletion(
        context,
        options,
        `Delete release ${selected} (${release_id})? Its builds are kept.`,
      )
      await context.client().deleteRelease({ application_id, release_id }, { signal: context.signal })
      context.output.result({ id: release_id, deleted: true }, () => `Release ${release_id} deleted.`)
    },
  })
}
