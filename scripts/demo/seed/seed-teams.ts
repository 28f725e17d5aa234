import type { PersonId } from '../plan/people.ts'
import { daysBefore, hoursAfter, type Seeding, type UserIds } from '../seeding.ts'
import type { SeededApplication } from './seed-application.ts'

type Team = {
  name: string
  description: string
  people: PersonId[]
  /** The roles of the team by the slug of the application. */
  roles: Record<string, 'developer' | 'qa' | 'readonly'>
}

const teams: Team[] = [
  {
    name: 'Testers',
    description: 'Test every release candidate.',
    people: ['leilani', 'samir', 'freya'],
    roles: { wayfern: 'qa', 'lantern-deep': 'qa', plover: 'qa' },
  },
  {
    name: 'Mobile developers',
    description: 'Build the iOS and Android apps.',
    people: ['yuki', 'mateo'],
    roles: { wayfern: 'developer' },
  },
]

/** Creates teams with members and roles in applications. */
export async function seedTeams(
  { client, journal, now }: Seeding,
  users: UserIds,
  applications: readonly SeededApplication[],
): Promise<void> {
  for (const [index, { name, description, people, roles }] of teams.entries()) {
    const created = daysBefore(now, 60 - index * 7)
    const { data: team } = await client.createTeam({ body: { name, description } })
    journal.record({ subject: team.id, action: 'team.created', at: created, by: 'kwame' })
    const user_ids = people.flatMap((person) => users.get(person) ?? [])
    await client.createTeamMembers({ team_id: team.id, body: { user_ids } })
    const added = hoursAfter(created, 1)
    journal.record({ subject: team.id, action: 'team.members_added', at: added, by: 'kwame' })
    for (const { id, plan } of applications) {
      const role = roles[plan.slug]
      if (role === undefined) continue
      await client.replaceApplicationTeam({ application_id: id, team_id: team.id, body: { role } })
      const action = 'team.application_changed'
      journal.record({ subject: team.id, action, application: id, at: hoursAfter(created, 2), by: plan.lead })
    }
  }
}
