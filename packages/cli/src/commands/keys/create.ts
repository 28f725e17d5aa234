import type { Command } from 'commander'
import type { World } from '../../command-context.ts'
import { futureTime, severalTexts } from '../../option-values.ts'
import { factsText } from '../../output/table.ts'
import { addVerb } from '../../verb.ts'
import { keyOwner, workspaceOption } from './key-owner.ts'

type Options = { scope: string[]; expires?: string; workspace?: boolean }

export function addKeysCreate(parent: Command, world: World): void {
  addVerb<Options>(parent, world, {
    usage: 'create <name>',
    summary: 'create an API key; it is shown this one time',
    example: 'quayside keys create ci --application "My App" --scope builds:create --expires 90d',
    options: (command) =>
      command
        .requiredOption(
          '--scope <scope>',
          'what the key may do, such as builds:create; several times or with commas for more',
          severalTexts,
        )
        .option(
          '--expires <time>',
          'when it ends: a time, or 90d, 12h, 4w from now (none: never)',
          futureTime,
        )
        .option(...workspaceOption),
    async run(context, [name = ''], options) {
      const body = {
        name,
        scopes: options.scope,
        ...(options.expires === undefined ? {} : { expires_at: options.expires }),
      }
      const application_id = await keyOwner(context, options)
      const client = context.client()
      const { data } =
        application_id === undefined
          ? await client.createWorkspaceApiKey({ body }, { signal: context.signal })
          : await client.createApplicationApiKey({ application_id, body }, { signal: context.signal })
      context.output.result(data, () => {
        const facts = factsText([
          ['Id', data.id],
          ['Name', data.name],
          ['Kind', data.kind],
          ['Scopes', data.scopes.join(', ')],
          ['Expires', data.expires_at ?? 'never'],
          ['Key', data.key],
        ])
        return `${facts}\n\nKeep the key now: it is not shown again.`
      })
    },
  })
}
