import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { CommandContext, Runtime } from '../../command-context.ts'
import { hostsPath } from '../../hosts.ts'
import { formatFields } from '../../output/format.ts'
import { requireKey } from '../../settings.ts'
import type { SettingSource } from '../../settings.ts'
import { formatScopes, keyAttributeFields, requireKeyAttributes } from './key-attributes.ts'

export function addStatus(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'status',
    summary: 'show the server, the workspace and the API key in use',
    result: { ...keyAttributeFields, server_source: false, key_source: false },
    example: 'quayside status',
    async run(context) {
      const { settings, output } = context
      const attributes = await requireKeyAttributes(context, requireKey(settings, context.runtime.env))
      const { serverSource: server_source, keySource: key_source } = settings
      output.result({ ...attributes, server_source, key_source }, () =>
        formatFields([
          ['Server', `${attributes.server} (${describeSource(context, server_source, 'server')})`],
          ['Version', attributes.server_version],
          ['Workspace', attributes.workspace.name],
          ['Key', `${attributes.key_prefix}… (${describeSource(context, key_source, 'key')})`],
          ['Scopes', formatScopes(attributes)],
        ]),
      )
    },
  })
}

/** Returns where a setting comes from, such as `from --server`. */
export function describeSource(
  { runtime }: CommandContext,
  source: SettingSource | undefined,
  setting: 'server' | 'key',
): string {
  if (source === 'option') return `from --${setting}`
  if (source === 'environment') return `from ${setting === 'server' ? 'QUAYSIDE_SERVER' : 'QUAYSIDE_API_KEY'}`
  return source === 'file' ? `from ${hostsPath(runtime.env)}` : 'default'
}
