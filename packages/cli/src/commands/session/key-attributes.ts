import { everyItem, QuaysideError } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import type { ResultFields } from '../../output/declared-fields.ts'

/** The attributes of an API key that can be read with the key itself. */
export type KeyAttributes = {
  server: string
  server_version: string | null
  key_prefix: string
  workspace: { id: string; name: string }
  /** The scopes of the key, or null if the key is not a workspace key or is not authorized to list workspace keys. */
  scopes: string[] | null
}

export const keyAttributeFields = {
  server: false,
  server_version: false,
  key_prefix: false,
  workspace: { id: false, name: false },
  scopes: false,
} satisfies Record<keyof KeyAttributes, ResultFields>

/** Returns the attributes of a key. Throws if the server rejects the key. */
export async function requireKeyAttributes(context: CommandContext, key: string): Promise<KeyAttributes> {
  const { data } = await context.client(key).getWorkspace({}, { signal: context.signal })
  return {
    server: context.settings.server,
    server_version: context.connection.serverVersion() ?? null,
    key_prefix: key.slice(0, prefixLength),
    workspace: { id: data.id, name: data.name },
    scopes: await findScopes(context, key),
  }
}

export function formatScopes({ scopes }: KeyAttributes): string {
  return scopes?.join(', ') ?? 'not reported by the server'
}

const prefixLength = 8

async function findScopes(context: CommandContext, key: string): Promise<string[] | null> {
  const client = context.client(key)
  const found: string[][] = []
  try {
    const keys = everyItem((page) =>
      client.listWorkspaceApiKeys({ page, per_page: 100 }, { signal: context.signal }),
    )
    for await (const { prefix, revoked_at, scopes } of keys)
      if (prefix === key.slice(0, prefixLength) && revoked_at === null) found.push(scopes)
  } catch (error) {
    if (!(error instanceof QuaysideError) || error.status !== 403) throw error
  }
  // Prefixes are short, so several keys can have the same one.
  return found.length === 1 ? (found[0] ?? null) : null
}
