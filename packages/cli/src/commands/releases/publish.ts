import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatRelease } from './format-release.ts'
import { requireReleaseId } from './select-release.ts'

export function addReleasesPublish(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'publish <release>',
    summary: 'publish a release',
    description:
      'Publish a draft, a withdrawn release, or a scheduled release ahead of time. Members of its distribution groups\n' +
      'are notified unless they have already been notified of the release.',
    result: ['publishRelease', { notified_count: false }],
    example: 'quayside releases publish 1.2.3',
    async run(context, [selected = '']) {
      const application_id = await requireApplicationId(context)
      const release_id = await requireReleaseId(context, application_id, selected)
      const { message, data, notified_count } = await context
        .client()
        .publishRelease({ application_id, release_id }, { signal: context.signal })
      context.output.note(message)
      context.output.result({ ...data, notified_count }, (columns) => formatRelease(data, columns))
    },
  })
}
