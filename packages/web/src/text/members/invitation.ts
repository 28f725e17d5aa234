import type { GetInvitationResponse } from '@quayside/sdk'
import { listOf } from '../../ui/format/list.ts'

/** The sentences of the page of an invitation. */
export const invitationText = {
  gone: 'Request a new invitation, or sign in if you have already accepted this one.',
  hasAccount: 'This address already has an account. Accept the invitation, then sign in.',
  accepted: 'You have accepted the invitation. Sign in to open the workspace.',
  signedInAsOther: (email: string) =>
    `You are signed in as ${email}. This invitation is for another address.`,
} as const

const roleTexts: Readonly<Record<GetInvitationResponse['data']['role'], string>> = {
  owner: 'an owner, who can do everything and manage other owners',
  admin: 'an admin, who can do everything except manage owners',
  member: 'a member, who can open the applications they are added to',
  developer: 'a developer, who uploads builds and publishes releases',
  qa: 'a tester, who uploads and installs builds, and shares them',
  readonly: 'a reader, who installs builds',
}

/** Returns who invites the person to what, and what they may do. */
export function invitationDescription(invitation: GetInvitationResponse['data']): string {
  const { inviter_name: inviter, application_name: application, workspace_name: workspace, role } = invitation
  const place =
    application === null ? `the workspace ${workspace}` : `${application} in the workspace ${workspace}`
  const as =
    role === 'admin' && application !== null
      ? 'an admin, who can do everything in the application'
      : roleTexts[role]
  const text = `${inviter === null ? 'You are invited' : `${inviter} invites you`} to ${place} as ${as}`
  const isList = application === null && invitation.applications.length > 0
  const access = isList ? `: ${listOf(invitation.applications.map(({ name }) => name))}` : ''
  const teams = invitation.teams.map(({ name }) => name)
  const joins =
    teams.length === 0 ? '' : ` You join the ${teams.length === 1 ? 'team' : 'teams'} ${listOf(teams)}.`
  return `${text}${access}.${joins}`
}
