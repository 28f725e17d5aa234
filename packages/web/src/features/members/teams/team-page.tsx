import { Menu, Tabs } from '@mantine/core'
import type { Team } from '@quayside/sdk'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { teamText } from '../../../text/members/teams.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { IconPencil, IconTrash } from '../../../ui/icons/icons.ts'
import { RowMenu } from '../../../ui/menu/row-menu.tsx'
import { BackLink } from '../../../ui/navigation/back-link.tsx'
import { PageHeader } from '../../../ui/navigation/page-header.tsx'
import pageTabs from '../../../ui/navigation/page-tabs.module.css'
import { showDone } from '../../../ui/toast.tsx'
import { TeamApplications } from './team-applications.tsx'
import { TeamDialog } from './team-dialog.tsx'
import { TeamMembers } from './team-members.tsx'
import { reloadTeams, teamQuery, teamsQuery } from './team.queries.ts'

const route = getRouteApi('/console/teams/$teamId')

/** Shows the members of a team and its applications. */
export function TeamPage() {
  const { teamId } = route.useParams()
  const navigate = route.useNavigate()
  const { data: team } = useSuspenseQuery(teamQuery(teamId))
  const { can } = useSession()
  const tab = route.useSearch().tab === 'applications' ? 'applications' : 'members'
  return (
    <>
      <BackLink to="/settings" search={{ section: 'teams' }}>
        Teams
      </BackLink>
      <PageHeader
        title={team.name}
        facts={[
          plural(team.member_count, 'member'),
          plural(team.application_count, 'application'),
          team.sso_group === null ? null : teamText.ssoGroup(team.sso_group),
          team.description,
        ]
          .filter(Boolean)
          .join(' · ')}
        actions={can('members:write') ? <TeamMenu team={team} /> : undefined}
      />
      <Tabs
        value={tab}
        onChange={(value) =>
          void navigate({ search: { tab: value === 'applications' ? value : undefined }, replace: true })
        }
      >
        <Tabs.List className={pageTabs.tabs} mb="md">
          <Tabs.Tab value="members">Members</Tabs.Tab>
          <Tabs.Tab value="applications">Applications</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="members">
          <TeamMembers team={team} />
        </Tabs.Panel>
        <Tabs.Panel value="applications">
          <TeamApplications team={team} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

function TeamMenu({ team }: { team: Team }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  async function remove(): Promise<void> {
    await api.deleteTeam({ team_id: team.id })
    queryClient.setQueryData(teamsQuery.queryKey, (teams) => teams?.filter(({ id }) => id !== team.id))
    await navigate({ to: '/settings', search: { section: 'teams' } })
    queryClient.removeQueries({ queryKey: teamQuery(team.id).queryKey })
    showDone(teamText.deleted)
    await reloadTeams(queryClient)
  }
  return (
    <>
      <RowMenu label="More actions" isOfPage>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setOpen('edit')}>
          Edit
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setOpen('delete')}>
          Delete
        </Menu.Item>
      </RowMenu>
      {open === 'edit' && <TeamDialog team={team} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={teamText.deleteTitle(team.name)}
          confirmLabel="Delete team"
          isDangerous
          onConfirm={remove}
          onClose={close}
        >
          {teamText.delete}
        </ConfirmDialog>
      )}
    </>
  )
}
