import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { parseFutureTime } from '../../option-parsers.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatRelease } from './format-release.ts'
import { requireReleaseId } from './select-release.ts'

export function addReleasesSchedule(parent: Command, runtime: Runtime): void {
  addCommand<{ at: string }>(parent, runtime, {
    usage: 'schedule <release>',
    summary: 'schedule the publication of a release',
    description:
      'Set or change the time at which a release is published automatically. To cancel, run `quayside releases withdraw`.',
    result: 'scheduleRelease',
    example: 'quayside releases schedule 1.2.3 --at 2027-01-31T12:00:00Z',
    options: (command) =>
      command.requiredOption(
        '--at <time>',
        'publication time, or a duration such as 12h, 7d or 4w',
        parseFutureTime,
      ),
    async run(context, [selected = ''], { at: scheduled_for }) {
      const application_id = await requireApplicationId(context)
      const release_id = await requireReleaseId(context, application_id, selected)
      const { data } = await context
        .client()
        .scheduleRelease({ application_id, release_id, body: { scheduled_for } }, { signal: context.signal })
      context.output.result(data, (columns) => formatRelease(data, columns))
    },
  })
}
