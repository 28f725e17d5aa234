import type { Command } from 'commander'
import type { World } from '../../command-context.ts'
import { foundOr } from '../../failure.ts'
import { addVerb } from '../../verb.ts'
import { keyOwner, workspaceOption } from './key-owner.ts'

type Options = { workspace?: boolean }

export function addKeysRevoke(parent: Command, world: World): void {
  addVerb<Options>(parent, world, {
    usage: 'revoke <id>',
    summary: 'revoke an API key: it is refused from now on',
    example: 'quayside keys revoke 3k5m7p9r2t',
    options: (command) => command.option(...workspaceOption),
    async run(context, [api_key_id = ''], options) {
      const application_id = await keyOwner(context, options)
      const client = context.client()
      const call = { signal: context.signal }
      const answer = await foundOr(
        application_id === undefined
          ? client.deleteWorkspaceApiKey({ api_key_id }, call)
          : client.deleteApplicationApiKey({ application_id, api_key_id }, call),
        `There is no key ${api_key_id} here: see \`quayside keys list\`, with --application for an application's.`,
      )
      context.output.result({ id: api_key_id, revoked: true }, () => answer.message)
    },
  })
}
