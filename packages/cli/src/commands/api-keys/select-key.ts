import { allItems, QuaysideError } from '@quayside/sdk'
import type { ApiKey } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { severalFound } from '../../not-found.ts'

/** Returns the keys of an application, or those of the workspace if there is no application. */
export function listKeys(
  { client, signal }: CommandContext,
  application_id: string | undefined,
): Promise<ApiKey[]> {
  return allItems((page) =>
    application_id === undefined
      ? client().listWorkspaceApiKeys({ page, per_page: 100 }, { signal })
      : client().listApplicationApiKeys({ application_id, page, per_page: 100 }, { signal }),
  )
}

/**
 * Returns the ID of the key with this ID or name. Ignores revoked keys if an active key has the same name. Throws if
 * several keys match.
 */
export async function requireKeyId(
  context: CommandContext,
  application_id: string | undefined,
  selected: string,
): Promise<string> {
  const keys = await listKeysIfAllowed(context, application_id)
  if (keys === undefined || keys.some(({ id }) => id === selected)) return selected
  const named = keys.filter(({ name }) => name.toLowerCase() === selected.toLowerCase())
  const active = named.filter(({ revoked_at }) => revoked_at === null)
  const [match, ...others] = active.length > 0 ? active : named
  if (match === undefined) throw new Failure('failed', keyNotFound(selected))
  if (others.length === 0) return match.id
  const ids = [match, ...others].map(({ id }) => id).toSorted()
  throw severalFound(`API keys are named "${selected}"`, ids)
}

/** Returns the message for a key that does not exist at the selected level. */
export const keyNotFound = (selected: string): string =>
  `API key ${selected} was not found. Run \`quayside keys list\` to see the keys. For an application key, add --application.`

/** A key that can revoke its descendants may not be allowed to list keys. Then only IDs work. */
async function listKeysIfAllowed(
  context: CommandContext,
  application_id: string | undefined,
): Promise<ApiKey[] | undefined> {
  try {
    return await listKeys(context, application_id)
  } catch (error) {
    if (error instanceof QuaysideError && error.status === 403) return undefined
    throw error
  }
}
