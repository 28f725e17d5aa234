/** An entry of a fixed list, with a slug for programs and a name for people. */
export type NamedEntry = { identifier: string; name: string }

export function namedEntries(nameBySlug: Record<string, string>): readonly NamedEntry[] {
  return Object.freeze(Object.entries(nameBySlug).map(([identifier, name]) => ({ identifier, name })))
}

/** Formats the identifiers for messages that list the accepted values. */
export const identifiersOf = (entries: readonly { identifier: string }[]): string =>
  entries.map(({ identifier }) => identifier).join(', ')

export function indexByIdentifier<Entry extends { identifier: string }>(
  entries: readonly Entry[],
): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entry.identifier, entry]))
}
