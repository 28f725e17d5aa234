import type { Command } from 'commander'
import type { World } from '../../command-context.ts'
import { severalTexts } from '../../option-values.ts'
import { addVerb } from '../../verb.ts'
import { applicationFacts } from './application-facts.ts'

type Options = { description?: string; platform?: string[] }

export function addApplicationsCreate(parent: Command, world: World): void {
  addVerb<Options>(parent, world, {
    usage: 'create <name>',
    summary: 'create an application with the default streams of the workspace',
    example: 'quayside applications create "My App" --platform android --platform ios',
    options: (command) =>
      command
        .option('--description <text>', 'what the application is')
        .option(
          '--platform <slug>',
          'platform it has builds for, several times for several (none: generic only)',
          severalTexts,
        ),
    async run({ client, output, signal }, [name = ''], { description, platform }) {
      const body = {
        name,
        ...(description === undefined ? {} : { description }),
        ...(platform === undefined ? {} : { platforms: platform }),
      }
      const { data } = await client().createApplication({ body }, { signal })
      output.result(data, () => applicationFacts(data))
    },
  })
}
