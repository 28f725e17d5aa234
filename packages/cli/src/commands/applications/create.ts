import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { collectList } from '../../option-parsers.ts'
import { formatApplication } from './get.ts'

type Options = { description?: string; platform?: string[] }

export function addApplicationsCreate(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'create <name>',
    summary: 'create an application',
    description: 'Create an application with the default streams of the workspace.',
    example: 'quayside applications create "My App" --platform android --platform ios',
    options: (command) =>
      command
        .option('--description <text>', 'description of the application')
        .option('--platform <slug>', 'platform to support (repeatable; default: generic)', collectList),
    async run({ client, output, signal }, [name = ''], { description, platform }) {
      const body = {
        name,
        ...(description === undefined ? {} : { description }),
        ...(platform === undefined ? {} : { platforms: platform }),
      }
      const { data } = await client().createApplication({ body }, { signal })
      output.result(data, () => formatApplication(data))
    },
  })
}
