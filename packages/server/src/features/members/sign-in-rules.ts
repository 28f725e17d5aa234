import { inTransaction, type Db, type Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { recordEvent } from '../../events/record-event.ts'
import { emailPattern } from '../../http/endpoint/fields.ts'
import type { SignInRules } from '../../sign-in/better-auth.ts'
import { listOpenInvitations } from './invitation.db.ts'
import { joinByInvitation } from './join-by-invitation.ts'
import { isDeactivated } from './scim/scim-user.db.ts'
import { applyGroups } from './teams/apply-groups.ts'
import { findAnyMappedTeam } from './teams/team-group.db.ts'
import { insertWorkspaceMember } from './workspace-member.db.ts'

// Matches exactly one address, so an address with a display name or a list of addresses has no domain.
const isEmail = new RegExp(emailPattern)

type Options = Pick<Deps, 'config' | 'log'> & {
  db: Db
  /** The workspace that people from the allowed domains join. */
  workspaceId: string
}

/**
 * Creates the rules for people who use single sign-on for the first time: they need an open invitation or an email
 * address in an allowed domain, and the identity provider must have verified the address.
 */
export function createSignInRules({ db, config, log, workspaceId }: Options): SignInRules {
  // A person whom the identity provider has deactivated needs an invitation.
  const isAllowed = async (email: string) =>
    isEmail.test(email) &&
    config.oidc?.allowedDomains.includes(email.slice(email.indexOf('@') + 1).toLowerCase()) === true &&
    !(await isDeactivated(db, workspaceId, email))

  return {
    async mayJoin({ email, isVerified }) {
      return isVerified && ((await isAllowed(email)) || (await listOpenInvitations(db, email)).length > 0)
    },
    async join({ id, email, name, isVerified }) {
      if (!isVerified) return false
      const person = { name: name === '' ? email.replace(/@.*/, '') : name, address: null, isProven: true }
      const invitations = await listOpenInvitations(db, email)
      const isOfDomain = await isAllowed(email)
      await inTransaction(db, async (tx) => {
        for (const invitation of invitations) await joinByInvitation(tx, { ...invitation, email }, person)
        if (isOfDomain) await joinByDomain(tx, { id, email, name: person.name })
      })
      return invitations.length > 0 || isOfDomain
    },
    needsGroups: () => findAnyMappedTeam(db),
    applyGroups: (userId, groups) => applyGroups({ db, log }, userId, groups),
  }

  async function joinByDomain(tx: Tx, { id, email, name }: { id: string; email: string; name: string }) {
    await insertWorkspaceMember(tx, { workspaceId, userId: id, name, role: 'member' })
    await recordEvent(
      tx,
      { actor: { via: 'user', id, name, workspaceId }, address: null },
      {
        action: 'member.created',
        applicationId: null,
        subject: { type: 'member', id },
        after: { email, role: 'member' },
      },
    )
  }
}
