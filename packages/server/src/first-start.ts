import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inTransaction, type Db } from './database/transaction.ts'
import { insertApiKey, findWorkspaceHasKeys } from './features/api-keys/api-key.db.ts'
import { hashKey, makeKey } from './features/api-keys/api-key.ts'
import { workspaceScopes } from './http/scopes.ts'
import { writePrivateFile } from './master-secret.ts'

/**
 * Gives a fresh service its first key, in a file that only the owner of the data folder reads. The file comes before
 * the row: a start that is killed in between is made good by the next one. Answers the file's path while it is there.
 */
export async function firstKeyFile(
  db: Db,
  dataDir: string,
  workspaceId: string,
): Promise<string | undefined> {
  const path = join(dataDir, 'first-key')
  if (!(await findWorkspaceHasKeys(db, workspaceId))) {
    await writePrivateFile(path, `${makeKey('workspace')}\n`)
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
