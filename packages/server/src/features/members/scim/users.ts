import type { Tx } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { deleteSignInMethods, hasSignInMethod } from '../../../sign-in/account.db.ts'
import { revokeInvitationsTo } from '../invitation.db.ts'
import { revokeGrantsOf } from '../revoke-grants.ts'
import {
  insertWorkspaceMember,
  listLockedOwners,
  recordLostSecondFactors,
  removeWorkspaceMember,
  renameWorkspaceMember,
  requireWorkspaceMember,
} from '../workspace-member.db.ts'
import { rejoinHeldTeams } from './groups.ts'
import type { Provisioner } from './provisioning.ts'
import type { UserFields } from './resources.ts'
import { notUnique, resourceNotFound, ScimError } from './scim-error.ts'
import {
  belongsElsewhere,
  findLockedAccount,
  findSameIdentity,
  findScimUser,
  holdTeams,
  insertProvisionedAccount,
  lockAccount,
  removeScimUser,
  saveAccountEmail,
  saveScimUser,
  type ScimUserRow,
} from './scim-user.db.ts'

/** Creates a person, or links the one who already has this email address. */
export async function createUser(tx: Tx, by: Provisioner, fields: UserFields): Promise<ScimUserRow> {
  const { workspaceId } = by.actor
  const { userId, isCreated } = await findOrCreateAccount(tx, by, fields)
  const before = await findScimUser(tx, workspaceId, userId)
  if (before?.is_managed === true) throw taken()
  await requireOwnIdentity(tx, by, fields, userId)
  await saveScimUser(tx, { workspaceId, userId, isCreated }, fields)
  await setActive(tx, by, { userId, wasActive: before?.is_active === true, fields })
  return requireUser(tx, by, userId)
}

/** Replaces what the identity provider manages of a person. */
export async function replaceUser(
  tx: Tx,
  by: Provisioner,
  before: ScimUserRow,
  fields: UserFields,
): Promise<ScimUserRow> {
  const { workspaceId } = by.actor
  const { id: userId, is_created: isCreated } = before
  await requireOwnIdentity(tx, by, fields, userId)
  // People keep the name that they chose or that another workspace gave them.
  const name = isCreated || !before.is_active ? fields.name : before.name
  await saveScimUser(tx, { workspaceId, userId, isCreated }, { ...fields, name })
  if (isCreated) await changeEmail(tx, by, before, fields.email)
  if (before.is_active && name !== before.name) await rename(tx, by, before, name)
  await setActive(tx, by, { userId, wasActive: before.is_active, fields: { ...fields, name } })
  return requireUser(tx, by, userId)
}

/** Ends the membership of a person, who is then unknown to the identity provider. */
export async function deleteUser(tx: Tx, by: Provisioner, id: string): Promise<void> {
  const { is_active: isActive } = await requireUser(tx, by, id)
  if (isActive) await deactivate(tx, by, id)
  await removeScimUser(tx, by.actor.workspaceId, id)
}

export async function requireUser(tx: Tx, by: Provisioner, id: string): Promise<ScimUserRow> {
  const row = await findScimUser(tx, by.actor.workspaceId, id)
  if (row === undefined) throw resourceNotFound('User', id)
  return row
}

const taken = (): ScimError => notUnique('Another user has this `userName`, `externalId` or email address.')

async function requireOwnIdentity(tx: Tx, by: Provisioner, fields: UserFields, id: string): Promise<void> {
  if ((await findSameIdentity(tx, by.actor.workspaceId, { ...fields, id })) !== undefined) throw taken()
}

/**
 * Returns the account for a new person. An account whose address nobody has proven, but with which someone signs in, is not
 * linked unless its owner already belongs to the workspace, because it may belong to somebody else.
 */
async function findOrCreateAccount(
  tx: Tx,
  by: Provisioner,
  { email, name }: UserFields,
): Promise<{ userId: string; isCreated: boolean }> {
  const { workspaceId } = by.actor
  const account = await findLockedAccount(tx, email)
  if (account === undefined) {
    const userId = await insertProvisionedAccount(tx, email, name)
    if (userId === undefined) throw taken()
    return { userId, isCreated: true }
  }
  const { id: userId, email_verified: isVerified } = account
  const hasMethod = await hasSignInMethod(tx, email)
  if ((await findScimUser(tx, workspaceId, userId)) !== undefined) return { userId, isCreated: false }
  if (hasMethod && !isVerified)
    throw notUnique('An account with this email address exists, but the address is not verified.')
  return { userId, isCreated: !hasMethod && !(await belongsElsewhere(tx, workspaceId, userId)) }
}

/**
 * Changes the email address of a person whom the identity provider created and who belongs to no other workspace. Every
 * sign-in method ends, because otherwise the previous owner of the account could sign in as the new owner of the address.
 */
async function changeEmail(tx: Tx, by: Provisioner, before: ScimUserRow, email: string): Promise<void> {
  const { id, email: current } = before
  if (email === current.toLowerCase()) return
  await lockAccount(tx, id)
  if (await belongsElsewhere(tx, by.actor.workspaceId, id)) return
  if ((await findLockedAccount(tx, email)) !== undefined) throw taken()
  await deleteSignInMethods(tx, id)
  await recordLostSecondFactors(tx, [id])
  await saveAccountEmail(tx, id, email)
  await recordUpdate(tx, by, id, { email: current }, { email })
}

async function rename(
  tx: Tx,
  by: Provisioner,
  { id, name: current }: ScimUserRow,
  name: string,
): Promise<void> {
  await renameWorkspaceMember(tx, by.actor.workspaceId, id, name)
  await recordUpdate(tx, by, id, { name: current }, { name })
}

const recordUpdate = (tx: Tx, by: Provisioner, id: string, before: object, after: object) =>
  recordEvent(tx, by, {
    action: 'member.updated',
    applicationId: null,
    subject: { type: 'member', id },
    before,
    after,
  })

async function setActive(
  tx: Tx,
  by: Provisioner,
  { userId, wasActive, fields }: { userId: string; wasActive: boolean; fields: UserFields },
): Promise<void> {
  if (fields.isActive === wasActive) return
  if (fields.isActive) await activate(tx, by, userId, fields)
  else await deactivate(tx, by, userId)
}

/** Makes a person a member of the workspace, always with the lowest role. */
async function activate(tx: Tx, by: Provisioner, userId: string, { name }: UserFields): Promise<void> {
  const { workspaceId } = by.actor
  await insertWorkspaceMember(tx, { workspaceId, userId, name, role: 'member' })
  const { email, role } = await requireWorkspaceMember(tx, workspaceId, userId)
  await recordEvent(tx, by, {
    action: 'member.created',
    applicationId: null,
    subject: { type: 'member', id: userId },
    after: { email, role },
  })
  await rejoinHeldTeams(tx, by, userId)
}

/** Removes a person from the workspace, as an admin does, and revokes open invitations to them. */
async function deactivate(tx: Tx, by: Provisioner, userId: string): Promise<void> {
  const { workspaceId } = by.actor
  const owners = await listLockedOwners(tx, workspaceId)
  if (owners.length === 1 && owners[0] === userId)
    throw new ScimError(
      400,
      'The last owner of a workspace cannot be deactivated. Make another member an owner first.',
      'mutability',
    )
  const { email, role, name } = await requireWorkspaceMember(tx, workspaceId, userId)
  const { is_managed: isManaged } = await requireUser(tx, by, userId)
  if (!isManaged) {
    const fields = { userName: email, externalId: null, name, givenName: null, familyName: null }
    await saveScimUser(tx, { workspaceId, userId, isCreated: false }, fields)
  }
  await holdTeams(tx, workspaceId, userId)
  await removeWorkspaceMember(tx, workspaceId, userId)
  await recordEvent(tx, by, {
    action: 'member.deleted',
    applicationId: null,
    subject: { type: 'member', id: userId },
    before: { email, role },
  })
  await revokeGrantsOf(tx, by, userId)
  await revokeInvitationsTo(tx, workspaceId, email)
}
