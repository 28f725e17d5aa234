import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { requireChannelParams } from './select-channel.ts'

type Options = { strict?: boolean }

export function addChannelsCheck(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'check <channel>',
    summary: 'show what the newest version lacks for each format',
    result: 'getChannelReadiness',
    example: 'quayside channels check Stable --strict',
    options: (command) => command.option('--strict', 'exit with code 1 if the version lacks anything'),
    async run(context, [selected = ''], { strict }) {
      const params = await requireChannelParams(context, selected)
      const { data } = await context.client().getChannelReadiness(params, { signal: context.signal })
      context.output.result(data, () =>
        data
          .flatMap(({ name, version, is_ready, urls, setup, missing }) => [
            `${name}: ${version ?? 'no version'}${is_ready ? ' is ready' : ''}`,
            ...(setup.length > 0 ? setup : urls).map((line) => `  ${line}`),
            ...missing.map(
              ({ message, build_id }) =>
                `  ! ${message}${build_id === undefined ? '' : ` (build ${build_id})`}`,
            ),
          ])
          .join('\n'),
      )
      if (strict === true && data.some(({ is_ready }) => !is_ready))
        throw new Failure('failed', 'The newest version is not ready for every format.')
    },
  })
}
