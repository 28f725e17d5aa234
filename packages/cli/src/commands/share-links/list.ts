import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatTime } from '../../output/format.ts'
import { formatList } from '../../page-options.ts'
import { formatLinkState } from './format-link.ts'
import { selectShareable, withShareableOptions } from './select-shareable.ts'
import type { ShareableOptions } from './select-shareable.ts'

export function addShareList(parent: Command, runtime: Runtime): void {
  addCommand<ShareableOptions>(parent, runtime, {
    usage: 'list [build]',
    summary: 'list the share links of a build or release',
    result: ['listBuildShareLinks', 'listReleaseShareLinks'],
    example: 'quayside share list --release 1.2.3',
    options: withShareableOptions,
    async run(context, [build], options) {
      const { data } = await (await selectShareable(context, build, options)).list()
      context.output.result(data, () =>
        formatList(data, {
          noun: 'share links',
          headings: ['ID', 'STATE', 'PASSWORD', 'CREATED', 'URL'],
          row: (link) => [
            link.id,
            formatLinkState(link),
            link.password_protected ? 'yes' : 'no',
            formatTime(link.created_at),
            link.short_url,
          ],
        }),
      )
    },
  })
}
