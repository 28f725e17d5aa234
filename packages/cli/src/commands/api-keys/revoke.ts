import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { withNotFoundMessage } from '../../failure.ts'
import { selectKeyApplicationId, workspaceOption } from '../../require-application-id.ts'
import { keyNotFound, requireKeyId } from './select-key.ts'

type Options = { workspace?: boolean; descendants?: boolean }

export function addKeysRevoke(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'revoke <key>',
    summary: 'revoke an API key',
    description:
      'Revoke an API key, by ID or name, of the workspace or, with --application, of an application.',
    result: { id: false, revoked: false },
    example: 'quayside keys revoke ci',
    options: (command) =>
      command
        .option(...workspaceOption)
        .option('--descendants', 'also revoke the keys and trusted publishers that the key created'),
    async run(context, [selected = ''], options) {
      const application_id = await selectKeyApplicationId(context, options)
      const api_key_id = await requireKeyId(context, application_id, selected)
      const client = context.client()
      const call = { signal: context.signal }
      const descendants = options.descendants === true
      const { message } = await withNotFoundMessage(
        application_id === undefined
          ? client.deleteWorkspaceApiKey({ api_key_id, descendants }, call)
          : client.deleteApplicationApiKey({ application_id, api_key_id, descendants }, call),
        keyNotFound(selected),
      )
      context.output.result({ id: api_key_id, revoked: true }, () => message)
    },
  })
}
