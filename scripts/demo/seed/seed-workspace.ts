import { drawIcon, type IconName } from '../drawing/icons.ts'
import { openInvitations, people, type PersonId } from '../plan/people.ts'
import { daysBefore, hoursAfter, type Seeding, type UserIds } from '../seeding.ts'

const workspaceLabels = [
  { name: 'release', color: '#2f6fed', description: 'Went out to everyone.' },
  { name: 'qa-passed', color: '#2f9e77', description: 'QA has finished the checklist.' },
  { name: 'hotfix', color: '#d64545', description: 'Fixes one problem of a release.' },
  { name: 'LTS', color: '#8a6d3b', description: 'Supported for 18 months.' },
]

export const pngIcon = (name: IconName) => ({
  content_type: 'image/png' as const,
  data: drawIcon(name).toString('base64'),
})

/** Names the workspace and creates its labels, default streams and members. Returns the IDs of the members. */
export async function seedWorkspace(seeding: Seeding): Promise<UserIds> {
  const { client, journal, now, log } = seeding
  const founded = daysBefore(now, people.ines.joinedDaysAgo)
  const { data: workspace } = await client.updateWorkspace({ body: { name: 'Brindle Works' } })
  await client.replaceWorkspaceLogo({ body: pngIcon('workspace') })
  journal.record({ subject: workspace.id, at: founded, by: 'ines' })
  for (const label of workspaceLabels) {
    const { data } = await client.createWorkspaceLabel({ body: label })
    journal.record({ subject: data.id, at: hoursAfter(founded, 1), by: 'ines' })
  }
  const { data: stream } = await client.createDefaultStream({
    body: { name: 'beta', description: 'Release candidates', retention_days: 90 },
  })
  journal.record({ subject: stream.id, at: hoursAfter(founded, 1), by: 'ines' })
  const { data: target } = await client.createWorkspaceCustomTarget({
    body: { name: 'Kiosk', platform: 'windows', description: 'Runs full screen and restarts by itself.' },
  })
  await client.replaceWorkspaceCustomTargetIcon({ target_identifier: target.id, body: pngIcon('kiosk') })
  journal.record({ subject: target.id, at: hoursAfter(founded, 30), by: 'kwame' })
  const users = await seedMembers(seeding)
  await seedOpenInvitations(seeding)
  log(`${users.size} people, ${openInvitations.length} open or closed invitations`)
  return users
}

async function seedMembers({ client, journal, now, random }: Seeding): Promise<UserIds> {
  const users = new Map<PersonId, string>()
  const { data: existing } = await client.listWorkspaceMembers({ per_page: 100 })
  for (const id of Object.keys(people) as PersonId[]) {
    const { name, email, role, joinedDaysAgo } = people[id]
    // The service itself creates the owner if QUAYSIDE_ADMIN_EMAIL is set.
    const member = existing.find((found) => found.email === email)
    if (member !== undefined) {
      users.set(id, member.id)
      continue
    }
    const { data: invitation } = await client.createInvitation({ body: { email, role } })
    if (invitation.token === null) throw new Error('The key must be allowed to read invitation tokens.')
    const { data: accepted } = await client.acceptInvitation({ token: invitation.token, body: { name } })
    users.set(id, accepted.id)
    const invited = hoursAfter(daysBefore(now, joinedDaysAgo), random.between(0.2, 2))
    const acceptedAt = hoursAfter(invited, random.between(0.2, 6))
    journal.record({ subject: invitation.id, action: 'invitation.created', at: invited, by: 'ines' })
    journal.record({ subject: invitation.id, action: 'invitation.accepted', at: acceptedAt, by: id })
    journal.record({ subject: accepted.id, at: acceptedAt })
  }
  return users
}

const invitedDaysAgo = { open: 2, expired: 12, revoked: 20 }

async function seedOpenInvitations({ client, journal, now }: Seeding): Promise<void> {
  for (const { email, role, state } of openInvitations) {
    const { data } = await client.createInvitation({ body: { email, role } })
    const at = daysBefore(now, invitedDaysAgo[state])
    journal.record({ subject: data.id, action: 'invitation.created', at, by: 'kwame' })
    if (state !== 'revoked') continue
    await client.deleteInvitation({ invitation_id: data.id })
    journal.record({ subject: data.id, action: 'invitation.revoked', at: hoursAfter(at, 3), by: 'ines' })
  }
}
