import type { SecretBox } from '../../crypto/secret-box.ts'
import type { Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { savePassword } from '../../sign-in/account.db.ts'
import { endAnySetupLink } from '../../sign-in/setup-link.db.ts'
import {
  assignWorkspaceRole,
  findOrInsertUser,
  insertWorkspaceMember,
} from '../members/workspace-member.db.ts'

/** Returns the token of the set-up link. It is derived from the master secret, so that every node prints the same link. */
export const setupToken = (secretBox: Pick<SecretBox, 'token'>, workspaceId: string): string =>
  `qss_${secretBox.token('set-up link v1', workspaceId)}`

type Owner = {
  workspaceId: string
  email: string
  name: string
  passwordHash: string
  address: string | null
}

/**
 * Creates the first owner of a workspace and ends the set-up link. Returns the ID of the user. The operator has chosen
 * the email address and already controls the whole service, so the address counts as verified.
 */
export async function createOwner(tx: Tx, owner: Owner): Promise<string> {
  const { workspaceId, email, name, passwordHash, address } = owner
  const userId = await findOrInsertUser(tx, { email, name, isProven: true })
  await insertWorkspaceMember(tx, { workspaceId, userId, name, role: 'owner' })
  await assignWorkspaceRole(tx, workspaceId, userId, 'owner')
  await savePassword(tx, userId, passwordHash)
  await endAnySetupLink(tx)
  await recordEvent(
    tx,
    { actor: { via: 'user', id: userId, name, workspaceId }, address },
    {
      action: 'workspace.set_up',
      applicationId: null,
      subject: { type: 'workspace', id: workspaceId },
      after: { owner_id: userId, email },
    },
  )
  return userId
}
