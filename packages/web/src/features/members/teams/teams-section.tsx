import { Button } from '@mantine/core'
import type { Team } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { teamText } from '../../../text/members/teams.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatCount, plural } from '../../../ui/format/bytes.ts'
import { SettingsSection } from '../../../ui/forms/settings-section.tsx'
import { IconPlus, IconUsersGroup } from '../../../ui/icons/icons.ts'
import { Loaded } from '../../../ui/loading/loaded.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { rowLink } from '../../../ui/table/table-row.tsx'
import { TeamDialog } from './team-dialog.tsx'
import { teamsQuery } from './team.queries.ts'

const columns: readonly Column<Team>[] = [
  {
    id: 'team',
    label: 'Team',
    width: 'minmax(0, 1fr)',
    hasLines: true,
    cell: (team) => <TeamName team={team} />,
  },
  {
    id: 'members',
    label: 'Members',
    width: '7rem',
    isAtEnd: true,
    cell: ({ member_count: count }) => <span className="tabular">{formatCount(count)}</span>,
  },
  {
    id: 'applications',
    label: 'Applications',
    width: '7rem',
    isAtEnd: true,
    cell: ({ application_count: count }) => <span className="tabular">{formatCount(count)}</span>,
  },
]

function TeamName({ team: { id, name, description } }: { team: Team }) {
  return (
    <>
      <Link to="/teams/$teamId" params={{ teamId: id }} {...rowLink}>
        {name}
      </Link>
      {description !== null && <div className="soft">{description}</div>}
    </>
  )
}

/** A team on a phone. */
function TeamCard({ team }: { team: Team }) {
  return (
    <div role="cell">
      <TeamName team={team} />
      <div className="soft">
        {plural(team.member_count, 'member')} · {plural(team.application_count, 'application')}
      </div>
    </div>
  )
}

/** The teams of the workspace. */
export function TeamsSection() {
  const query = useQuery(teamsQuery)
  const { can } = useSession()
  const canEdit = can('members:write')
  const [isCreating, setIsCreating] = useState(false)
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
      New team
    </Button>
  )
  return (
    <SettingsSection
      title="Teams"
      description={teamText.ofWorkspace}
      action={canEdit && query.data?.length !== 0 && create}
    >
      <Loaded query={query}>
        {(teams) =>
          teams.length === 0 ? (
            <EmptyState
              icon={<IconUsersGroup size={22} />}
              title="No teams yet"
              action={canEdit ? create : undefined}
            >
              {canEdit ? teamText.empty : teamText.emptyForMembers}
            </EmptyState>
          ) : (
            <DataTable
              label="Teams"
              columns={columns}
              rows={teams}
              keyOf={({ id }) => id}
              card={(team) => <TeamCard team={team} />}
            />
          )
        }
      </Loaded>
      {isCreating && <TeamDialog onClose={() => setIsCreating(false)} />}
    </SettingsSection>
  )
}
