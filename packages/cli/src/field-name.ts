import type { Command } from 'commander'

/** Names of options and arguments that differ from the names of the API fields that they set. */
const otherNames = new Map([
  ['after', ['cursor']],
  ['build_ids', ['build']],
  ['custom_build_number', ['build-number']],
  ['expansion_files', ['expansion']],
  ['expires_at', ['expires']],
  ['force_path_style', ['path-style']],
  ['primary_file', ['file']],
  ['scheduled_for', ['schedule', 'at']],
  ['secret_access_key', ['secret-stdin']],
  ['version_component_extra', ['extra']],
  ['version_component_meta', ['meta']],
])

/**
 * Returns the option or argument of a command that sets a field of the API, such as `--label` for `labels.0`. Returns
 * the field itself if there is none.
 */
export function fieldName(command: Command, field: string): string {
  const [parameter = ''] = field.split('.')
  const name = parameter.replaceAll('_', '-')
  // The name of a repeatable option is singular.
  const names = otherNames.get(parameter) ?? [name, name.replace(/s$/, ''), name.replace(/es$/, '')]
  const argumentNames = new Set(
    [...command.usage().matchAll(/[<[]([\w-]+)/g)].map(([, argumentName]) => argumentName),
  )
  const argument = names.find((candidate) => argumentNames.has(candidate))
  const option = command.options.find(({ long }) => names.some((candidate) => long === `--${candidate}`))
  return argument ?? option?.long ?? field
}
