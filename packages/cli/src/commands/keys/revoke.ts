import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { withNotFoundMessage } from '../../failure.ts'
import { selectKeyApplicationId, workspaceOption } from '../../require-application-id.ts'

type Options = { workspace?: boolean; descendants?: boolean }

export function addKeysRevoke(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'revoke <id>',
    summary: 'revoke an API key',
    description: 'Revoke an API key of the workspace or, with --application, of an application.',
    example: 'quayside keys revoke 3k5m7p9r2t',
    options: (command) =>
      command
        .option(...workspaceOption)
        .option('--descendants', 'also revoke the keys and trusted publishers that the key created'),
    async run(context, [api_key_id = ''], options) {
      const application_id = await selectKeyApplicationId(context, options)
      const client = context.client()
      const call = { signal: context.signal }
      const descendants = options.descendants === true
      const { message } = await withNotFoundMessage(
        application_id === undefined
          ? client.deleteWorkspaceApiKey({ api_key_id, descendants }, call)
          : client.deleteApplicationApiKey({ application_id, api_key_id, descendants }, call),
        `API key ${api_key_id} was not found. Run \`quayside keys list\` to see the keys. For an application key, add --application.`,
      )
      context.output.result({ id: api_key_id, revoked: true }, () => message)
    },
  })
}
