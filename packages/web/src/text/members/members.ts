export const workspaceRoles = [
  {
    value: 'owner',
    label: 'Owner',
    description: 'Can do everything, and can grant and remove the owner role.',
  },
  { value: 'admin', label: 'Admin', description: 'Can do everything except change or remove owners.' },
  {
    value: 'member',
    label: 'Member',
    description: 'Can view the workspace and work in applications they are added to.',
  },
] as const

export const applicationRoles = [
  { value: 'admin', label: 'Admin', description: 'Can change everything in the application.' },
  {
    value: 'developer',
    label: 'Developer',
    description: 'Manages builds, releases, share links and webhooks.',
  },
  { value: 'qa', label: 'QA', description: 'Manages builds, creates share links, and reads the rest.' },
  { value: 'readonly', label: 'Read only', description: 'Lists and downloads builds and releases.' },
] as const

const labels = new Map<string, string>(
  [...workspaceRoles, ...applicationRoles].map(({ value, label }) => [value, label]),
)

export const roleLabel = (role: string): string => labels.get(role) ?? role

export const memberText = {
  ofWorkspace:
    'Owners and admins can open every application. Members can open the applications they are added to.',
  ofApplication: 'Workspace owners and admins are admins of every application.',
  inherited: 'From the workspace',
  noApplications: 'Without an application, they see an empty workspace until they are added to one.',
  invite: 'Invite people',
  enterEmail: 'Enter an email address.',
  severalEmails: 'Press Enter after each address, or paste several.',
  invitationTo: (email: string) => `Invitation to ${email}`,
  invited: (count: number) => `${count} people invited`,
  someInvited: (count: number) =>
    `${count === 1 ? '1 person' : `${count} people`} invited. Correct the others.`,
  notInvited: (email: string, reason: string) => `${email}: ${reason}`,
  linkOf: (email: string) => `invitation link for ${email}`,
  sent: (count: number) =>
    count === 1
      ? 'The invitation was sent by email. It expires in 7 days.'
      : 'The invitations were sent by email. They expire in 7 days.',
  linkOnly: (count: number) =>
    count === 1
      ? 'No SMTP server is configured, so no email was sent. Send this link yourself. It expires in 7 days.'
      : 'No SMTP server is configured, so no emails were sent. Send these links yourself. They expire in 7 days.',
  queued: 'Without an SMTP server, the invitation stays in the outbox. An owner can read its link there.',
  noOneToAdd: 'Every workspace member already has access to this application.',
  noMembersOfApplication:
    'Only workspace owners and admins can open this application. Add the members who work on it.',
  remove: 'They lose access within a second and are signed out of this workspace.',
  removePrivileged:
    'API keys, trusted publishers and open invitations they created are revoked. Replace keys that pipelines use first.',
  removeFromApplication: 'They can no longer open this application but stay in the workspace.',
  demote:
    'API keys, trusted publishers and open invitations they created are revoked. They keep access to the applications they are added to.',
  revokeInvitation: 'The link in the invitation stops working. You can invite the person again.',
  selectMember: 'Select a workspace member.',
  roleChanged: (name: string, role: string) => `${name} now has the role ${roleLabel(role)}.`,
  promoted: (name: string, role: 'owner' | 'admin') =>
    `${name} is now ${role === 'owner' ? 'an owner' : 'an admin'}.`,
  removedFromApplication: (name: string) => `${name} was removed from the application.`,
  demoteTitle: (name: string) => `Make ${name} a member?`,
  revokeInvitationTitle: (email: string) => `Revoke the invitation to ${email}?`,
  invitationRevoked: 'Invitation revoked.',
}
