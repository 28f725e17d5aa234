import { allItems, type Team } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { describeMissing } from '../../not-found.ts'
import { formatFields } from '../../output/format.ts'

/** Returns the team with this ID or name. */
export async function requireTeamOf({ client, signal }: CommandContext, selected: string): Promise<Team> {
  const teams = await allItems((page) => client().listTeams({ page, per_page: 100 }, { signal }))
  const team =
    teams.find(({ id }) => id === selected) ??
    teams.find(({ name }) => name.toLowerCase() === selected.toLowerCase())
  if (team) return team
  throw new Failure(
    'failed',
    await describeMissing({
      what: `Team "${selected}"`,
      plural: 'Teams',
      command: 'quayside teams list',
      listNames: () => Promise.resolve(teams.map(({ name }) => name)),
    }),
  )
}

export const formatTeam = ({
  id,
  name,
  description,
  sso_group,
  member_count,
  application_count,
}: Team): string =>
  formatFields([
    ['ID', id],
    ['Name', name],
    ['Description', description],
    ['Single sign-on group', sso_group],
    ['Members', member_count],
    ['Applications', application_count],
  ])
