import type { Config } from '../config/config.ts'
import type { Passwords } from '../crypto/password.ts'
import type { SecretBox } from '../crypto/secret-box.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import { findAnyOwner } from '../features/members/workspace-member.db.ts'
import { createOwner, setupToken } from '../features/setup/setup.ts'
import { requireFirstLockedWorkspace } from '../features/workspace/workspace.db.ts'
import { endAnySetupLink, hashSetupToken, saveSetupLink } from '../sign-in/setup-link.db.ts'

type Options = {
  db: Db
  workspaceId: string
  publicUrl: string
  config: Pick<Config, 'admin' | 'bootstrapKey'>
  passwords: Passwords
  secretBox: Pick<SecretBox, 'token'>
}

/**
 * Makes sure that someone can become the owner of a new service: creates the owner from QUAYSIDE_ADMIN_EMAIL and
 * QUAYSIDE_ADMIN_PASSWORD, or returns the set-up link, which is the same on every node. Returns undefined if there is an
 * owner, or if the service is set up with QUAYSIDE_BOOTSTRAP_KEY instead.
 */
export async function ensureFirstOwner(options: Options): Promise<string | undefined> {
  const { db, workspaceId, publicUrl, config, passwords, secretBox } = options
  const { admin, bootstrapKey } = config
  if (await findAnyOwner(db, workspaceId)) return undefined
  if (admin !== undefined) {
    const passwordHash = await passwords.hash(admin.password)
    await inTransaction(db, async (tx) => {
      await requireFirstLockedWorkspace(tx)
      // Another node may have created the owner in the meantime.
      if (await findAnyOwner(tx, workspaceId)) return
      const name = admin.email.replace(/@.*/, '')
      await createOwner(tx, { workspaceId, email: admin.email, name, passwordHash, address: null })
    })
    return undefined
  }
  if (bootstrapKey !== undefined) {
    await inTransaction(db, endAnySetupLink)
    return undefined
  }
  const token = setupToken(secretBox, workspaceId)
  const isOpen = await inTransaction(db, async (tx) => {
    await requireFirstLockedWorkspace(tx)
    // The owner may just have been created with the link of another node.
    if (await findAnyOwner(tx, workspaceId)) return false
    await saveSetupLink(tx, hashSetupToken(token))
    return true
  })
  if (!isOpen) return undefined
  return `${publicUrl}/setup?token=${token}`
}
