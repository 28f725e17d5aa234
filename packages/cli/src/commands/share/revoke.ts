import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { withNotFoundMessage } from '../../failure.ts'

export function addShareRevoke(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'revoke <link>',
    summary: 'revoke a share link by ID or URL',
    example: 'quayside share revoke 3k5m7p9r2t',
    async run(context, [link = '']) {
      const share_link_id = /\/share-links\/([^/]+)/.exec(link)?.[1] ?? link
      const { data } = await withNotFoundMessage(
        context
          .client()
          .updateShareLink({ share_link_id, body: { is_active: false } }, { signal: context.signal }),
        `Share link ${share_link_id} was not found. Run \`quayside share list\` to see the links of a build or release.`,
      )
      context.output.result(data, () => `Share link ${share_link_id} revoked.`)
    },
  })
}
