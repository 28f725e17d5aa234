import type { Command } from 'commander'
import type { World } from '../../command-context.ts'
import { tableText } from '../../output/table.ts'
import { addVerb } from '../../verb.ts'
import { keyOwner, workspaceOption } from './key-owner.ts'

type Options = { workspace?: boolean }

export function addKeysList(parent: Command, world: World): void {
  addVerb<Options>(parent, world, {
    usage: 'list',
    summary: 'list API keys, without their secret',
    example: 'quayside keys list --application "My App"',
    options: (command) => command.option(...workspaceOption),
    async run(context, _arguments, options) {
      const application_id = await keyOwner(context, options)
      const client = context.client()
      const call = { signal: context.signal }
      const { data: keys } =
        application_id === undefined
          ? await client.listWorkspaceApiKeys({}, call)
          : await client.listApplicationApiKeys({ application_id }, call)
      context.output.result(keys, () =>
        keys.length === 0
          ? 'No keys.'
          : tableText(
              ['ID', 'NAME', 'BEGINS', 'SCOPES', 'CREATED', 'LAST USED', 'STATE'],
              keys.map((key) => [
                key.id,
                key.name,
                key.prefix,
                key.scopes.join(','),
                key.created_at.slice(0, 10),
                key.last_used_at?.slice(0, 10) ?? 'never',
                stateOf(key),
              ]),
            ),
      )
    },
  })
}

function stateOf(key: { revoked_at: string | null; expires_at: string | null }): string {
  if (key.revoked_at !== null) return 'revoked'
  if (key.expires_at === null) return 'valid'
  return new Date(key.expires_at) <= new Date() ? 'expired' : `until ${key.expires_at.slice(0, 10)}`
}
