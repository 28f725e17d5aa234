import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inTransaction, type Db } from './database/transaction.ts'
import { insertApiKey, findAnyApiKey } from './features/api-keys/api-key.db.ts'
import { hashKey, generateKey } from './features/api-keys/api-key.ts'
import { workspaceScopes } from './http/scopes.ts'
import { writePrivateFile } from './master-secret.ts'

/**
 * Creates the first API key of a new service in a file that only the owner of the data folder can read. The file is
 * written before the row, so that a start that is killed can be resumed. Returns the path if the file exists.
 */
export async function ensureFirstKeyFile(
  db: Db,
  dataDir: string,
  workspaceId: string,
): Promise<string | undefined> {
  const path = join(dataDir, 'first-key')
  if ((await findAnyApiKey(db, workspaceId)) === undefined) {
    await writePrivateFile(path, `${generateKey('workspace')}\n`)
    const key = (await readFile(path, 'utf8')).trim()
    await inTransaction(db, (tx) =>
      insertApiKey(tx, {
        owner: { workspaceId, applicationId: null },
        kind: 'workspace',
        name: 'First key',
        prefix: key.slice(0, 8),
        sha256: hashKey(key),
        scopes: [...workspaceScopes],
        createdBy: 'first start',
        expiresAt: null,
      }),
    )
  }
  return access(path).then(
    () => path,
    () => undefined,
  )
}
