import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatList } from '../../page-options.ts'
import { selectKeyApplicationId, workspaceOption } from '../../require-application-id.ts'
import { listKeys } from './select-key.ts'

type Options = { workspace?: boolean }

export function addKeysList(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'list',
    summary: 'list API keys',
    description: 'List the API keys of the workspace or, with --application, of an application.',
    result: ['listWorkspaceApiKeys', 'listApplicationApiKeys'],
    example: 'quayside keys list --application "My App"',
    options: (command) => command.option(...workspaceOption),
    async run(context, _arguments, options) {
      const application_id = await selectKeyApplicationId(context, options)
      const keys = await listKeys(context, application_id)
      context.output.result(keys, (columns) =>
        formatList(
          keys,
          {
            noun: 'API keys',
            headings: ['ID', 'NAME', 'PREFIX', 'STATE', 'LAST USED', 'SCOPES'],
            row: (key) => [
              key.id,
              key.name,
              key.prefix,
              formatState(key),
              key.last_used_at?.slice(0, 10) ?? 'never',
              key.scopes.join(','),
            ],
          },
          columns,
        ),
      )
    },
  })
}

function formatState(key: { revoked_at: string | null; expires_at: string | null }): string {
  if (key.revoked_at !== null) return 'revoked'
  if (key.expires_at === null) return 'active'
  return new Date(key.expires_at) <= new Date() ? 'expired' : `active until ${key.expires_at.slice(0, 10)}`
}
