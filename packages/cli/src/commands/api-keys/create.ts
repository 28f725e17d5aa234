import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { parseFutureTime, collectList } from '../../option-parsers.ts'
import { formatFields } from '../../output/format.ts'
import { selectKeyApplicationId, workspaceOption } from '../../require-application-id.ts'

type Options = { scope: string[]; expires?: string; workspace?: boolean }

export function addKeysCreate(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'create <name>',
    summary: 'create an API key',
    description:
      'Create an API key for the workspace or, with --application, for an application. The key is shown only once.',
    result: ['createWorkspaceApiKey', 'createApplicationApiKey'],
    example: 'quayside keys create ci --application "My App" --scope builds:create --expires 90d',
    options: (command) =>
      command
        .requiredOption('--scope <scope>', 'scope to grant, such as builds:create (repeatable)', collectList)
        .option(
          '--expires <time>',
          'expiration time, or a duration such as 12h, 90d or 4w (default: that of your own key)',
          parseFutureTime,
        )
        .option(...workspaceOption),
    async run(context, [name = ''], options) {
      const body = {
        name,
        scopes: options.scope,
        ...(options.expires === undefined ? {} : { expires_at: options.expires }),
      }
      const application_id = await selectKeyApplicationId(context, options)
      const client = context.client()
      const { data } =
        application_id === undefined
          ? await client.createWorkspaceApiKey({ body }, { signal: context.signal })
          : await client.createApplicationApiKey({ application_id, body }, { signal: context.signal })
      context.output.result(data, () => {
        const fields = formatFields([
          ['ID', data.id],
          ['Name', data.name],
          ['Kind', data.kind],
          ['Scopes', data.scopes.join(', ')],
          ['Expires', data.expires_at ?? 'never'],
          ['Key', data.key],
        ])
        return `${fields}\n\nStore the key now. It will not be shown again.`
      })
    },
  })
}
