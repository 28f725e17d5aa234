import { architectureAliases, platformAliases } from './architecture-aliases.data.ts'

/**
 * Returns the identifier for an architecture name or alias, such as `amd64` for `x64`. Returns an unknown name
 * unchanged, so that the server can report it together with the architectures that the platform supports.
 */
export function architectureIdentifier(platform: string, name: string): string {
  const key = name.toLowerCase()
  return platformAliases[platform]?.[key] ?? architectureAliases[key] ?? name
}
