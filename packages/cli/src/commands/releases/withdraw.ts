import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatRelease } from './format-release.ts'
import { requireReleaseId } from './select-release.ts'

export function addReleasesWithdraw(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'withdraw <release>',
    summary: 'withdraw a release',
    description:
      'Hide a published release from share links, distribution groups and portals, or cancel a scheduled publication.\n' +
      'The release and its links work again after `quayside releases publish`.',
    result: 'withdrawRelease',
    example: 'quayside releases withdraw 1.2.3',
    async run(context, [selected = '']) {
      const application_id = await requireApplicationId(context)
      const release_id = await requireReleaseId(context, application_id, selected)
      const { data } = await context
        .client()
        .withdrawRelease({ application_id, release_id }, { signal: context.signal })
      context.output.result(data, (columns) => formatRelease(data, columns))
    },
  })
}
