import type { Rollout } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatList } from '../../page-options.ts'
import { requireChannelParams } from '../channels/select-channel.ts'
import { formatState } from './format-rollout.ts'

export function addRolloutList(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'list <channel>',
    summary: 'list the versions of a channel and to whom they are offered',
    result: 'listRollouts',
    example: 'quayside rollout list Stable',
    async run(context, [selected = '']) {
      const params = await requireChannelParams(context, selected)
      const { data } = await context.client().listRollouts(params, { signal: context.signal })
      context.output.result(data, (columns) =>
        formatList(
          data,
          {
            noun: 'versions',
            headings: ['VERSION', 'STATE', 'PERCENTAGE', 'COMPLETE', 'COHORTS', 'FAILED'],
            row: (rollout) => [
              rollout.version,
              rollout.is_published ? formatState(rollout) : 'not published',
              `${rollout.percentage} %`,
              rollout.complete_at,
              rollout.cohorts.join(', '),
              formatFailures(rollout),
            ],
          },
          columns,
        ),
      )
    },
  })
}

const formatFailures = ({ reports: { installed, failed } }: Rollout): string =>
  installed + failed === 0 ? '' : `${failed} of ${installed + failed}`
