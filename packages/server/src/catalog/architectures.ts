import { architectureRows } from './architectures.data.ts'
import { indexByIdentifier } from './named-entries.ts'

export type Architecture = { identifier: string; name: string; description: string }

export const architectures: readonly Architecture[] = Object.freeze(
  architectureRows.map(([identifier, name, description]) => ({ identifier, name, description })),
)

const byIdentifier = indexByIdentifier(architectures)

export const findArchitecture = (identifier: string): Architecture | undefined => byIdentifier.get(identifier)

/**
 * Returns the architecture as it appears in responses. The name of an unknown identifier, which a newer version of the
 * service may have stored, is the identifier itself.
 */
export function architectureResource(identifier: string): Architecture {
  return byIdentifier.get(identifier) ?? { identifier, name: identifier, description: '' }
}
