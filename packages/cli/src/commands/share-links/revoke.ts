import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { withNotFoundMessage } from '../../failure.ts'

/** Returns the ID in the long or short URL of a link, or the text itself if it is an ID. */
const linkIdOf = (link: string): string =>
  /\/share-links\/([^/]+)|\/s\/([^/]{10})/
    .exec(link)
    ?.slice(1)
    .find((id) => id !== undefined) ?? link

export function addShareRevoke(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'revoke <link>',
    summary: 'revoke a share link by ID or URL',
    result: 'updateShareLink',
    example: 'quayside share revoke 3k5m7p9r2t',
    async run(context, [link = '']) {
      const share_link_id = linkIdOf(link)
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
