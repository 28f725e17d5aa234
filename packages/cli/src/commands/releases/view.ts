import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatRelease } from './format-release.ts'
import { requireReleaseId } from './select-release.ts'

export function addReleasesView(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'view <release>',
    summary: 'show a release with its builds',
    description: 'Show a release with its builds. The release is an ID, a version, a title or "latest".',
    result: 'getRelease',
    example: 'quayside releases view 1.2.3',
    async run(context, [selected = '']) {
      const application_id = await requireApplicationId(context)
      const release_id = await requireReleaseId(context, application_id, selected)
      const { data } = await context
        .client()
        .getRelease({ application_id, release_id }, { signal: context.signal })
      context.output.result(data, (columns) => formatRelease(data, columns))
    },
  })
}
