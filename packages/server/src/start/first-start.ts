import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { inTransaction, type Db } from '../database/transaction.ts'
import { findAnyApiKey, findUsableApiKeyBy, insertApiKey } from '../features/api-keys/api-key.db.ts'
import { hashKey, generateKey } from '../features/api-keys/api-key.ts'
import { requireFirstLockedWorkspace } from '../features/workspace/workspace.db.ts'
import { workspaceScopes } from '../http/endpoint/scopes.ts'
import { writePrivateFile } from '../lib/durable-file.ts'

const createdBy = 'first start'

/** Logs a warning while the first key is valid, because the key has every scope and does not expire. */
export async function warnOfFirstKey(db: Db, workspaceId: string, log: Pick<Logger, 'warn'>): Promise<void> {
  const key = await findUsableApiKeyBy(db, workspaceId, createdBy)
  if (key === undefined) return
  log.warn(
    { apiKeyId: key.id },
    `The API key of the first start (${key.prefix}…) is still valid: it has every scope and does not expire. Create ` +
      `keys of your own, then revoke it with DELETE /api/v1/workspace/api-keys/${key.id} and delete the file first-key.`,
  )
}

/**
 * Creates the first API key of a new service in a file that only the owner of the data folder can read. The file is
 * written before the database row, so that the next start can complete the process if this start is interrupted.
 * Returns the path if the file exists.
 */
export async function ensureFirstKeyFile(
  db: Db,
  dataDir: string,
  workspaceId: string,
): Promise<string | undefined> {
  const path = join(dataDir, 'first-key')
  if ((await findAnyApiKey(db, workspaceId)) === undefined)
    await inTransaction(db, async (tx) => {
      // Nodes that start at the same time must not create a key each.
      await requireFirstLockedWorkspace(tx)
      if ((await findAnyApiKey(tx, workspaceId)) !== undefined) return
      await writePrivateFile(path, `${generateKey('workspace')}\n`)
      const key = (await readFile(path, 'utf8')).trim()
      await insertApiKey(tx, {
        owner: { workspaceId, applicationId: null },
        kind: 'workspace',
        name: 'First key',
        prefix: key.slice(0, 8),
        sha256: hashKey(key),
        scopes: [...workspaceScopes],
        createdBy,
        expiresAt: null,
      })
    })
  return access(path).then(
    () => path,
    () => undefined,
  )
}
