import { architectureRows } from './architectures.data.ts'

export type Architecture = { identifier: string; name: string; description: string }

export const architectures: readonly Architecture[] = Object.freeze(
  architectureRows.map(([identifier, name, description]) => ({ identifier, name, description })),
)

const byIdentifier = new Map(architectures.map((architecture) => [architecture.identifier, architecture]))

export const findArchitecture = (identifier: string): Architecture | undefined => byIdentifier.get(identifier)

/** As answers show it. One this version does not know (a newer one wrote it) goes by its identifier. */
export function architectureResource(identifier: string): Architecture {
  return byIdentifier.get(identifier) ?? { identifier, name: identifier, description: '' }
}
