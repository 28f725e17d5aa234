import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { CommandContext, Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { hostsPath, readHosts, withStoredKey, writeHosts } from '../../hosts.ts'
import { formatFields } from '../../output/format.ts'
import { checkKey } from '../../settings.ts'
import { askLine, readStandardInput } from '../../standard-input.ts'
import { formatScopes, keyAttributeFields, requireKeyAttributes } from './key-attributes.ts'

type Options = { withKey?: boolean }

export function addLogin(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'login',
    summary: 'store an API key for a server',
    description:
      'Check an API key and store it for a server, which becomes the default server.\n' +
      'On a terminal, the command asks for the key. Otherwise, it reads the key from standard input.\n\n' +
      'The key is stored in $XDG_CONFIG_HOME/quayside/hosts.json, which only you can read.\n' +
      'QUAYSIDE_API_KEY and --key take precedence over it.',
    result: keyAttributeFields,
    example: 'quayside login --server https://builds.example.com',
    options: (command) => command.option('--with-key', 'read the key from standard input'),
    async run(context, _arguments, options) {
      const key = await readKey(context, options)
      const attributes = await requireKeyAttributes(context, key)
      const path = hostsPath(context.runtime.env)
      writeHosts(path, withStoredKey(readHosts(path), context.settings.server, key))
      context.output.result(attributes, () =>
        formatFields([
          ['Server', attributes.server],
          ['Workspace', attributes.workspace.name],
          ['Scopes', formatScopes(attributes)],
          ['Stored in', path],
        ]),
      )
      for (const name of ['QUAYSIDE_SERVER', 'QUAYSIDE_API_KEY'])
        if (context.runtime.env[name]) context.output.note(`${name} is set and takes precedence.`)
    },
  })
}

async function readKey(context: CommandContext, { withKey }: Options): Promise<string> {
  const { settings, runtime } = context
  if (settings.key !== undefined && settings.keySource === 'option') return settings.key
  const isPrompt = withKey !== true && runtime.stdin.isTTY === true
  const text = isPrompt
    ? await askLine(context, `API key for ${settings.server}: `, { isSecret: true })
    : await readStandardInput(context, '--with-key')
  const key = text.trim()
  if (key === '')
    throw new Failure(
      'usage',
      'No API key was entered. Pass it on standard input, for example with --with-key < file.',
    )
  checkKey(key)
  return key
}
