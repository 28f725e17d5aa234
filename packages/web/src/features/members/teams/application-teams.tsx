import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ApplicationTeam } from '@quayside/sdk'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { applicationRoles, roleLabel } from '../../../text/members/members.ts'
import { teamText } from '../../../text/members/teams.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { SettingsSection } from '../../../ui/forms/settings-section.tsx'
import { IconPlus, IconTrash, IconUsersGroup } from '../../../ui/icons/icons.ts'
import { Item, ItemList } from '../../../ui/item-list.tsx'
import { RowMenu } from '../../../ui/menu/row-menu.tsx'
import { showFailure } from '../../../ui/toast.tsx'
import { applicationsQuery } from '../../applications/application.queries.ts'
import { RoleSelect } from '../role-select.tsx'
import { AddRoleDialog } from './add-role-dialog.tsx'
import classes from './team-page.module.css'
import { applicationTeamsQuery, teamsQuery } from './team.queries.ts'
import { useTeamRoles, type Role } from './use-team-roles.ts'

type Props = { applicationId: string; canEdit: boolean }

/** The teams that have a role in an application. Shows nothing while the workspace has no teams. */
export function ApplicationTeams({ applicationId, canEdit }: Props) {
  const { data: teams } = useQuery(applicationTeamsQuery(applicationId))
  const { data: all = [] } = useQuery(teamsQuery)
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const [isAdding, add] = useDisclosure()
  const roles = useTeamRoles()
  if (teams === undefined || (teams.length === 0 && (!canEdit || all.length === 0))) return null
  const application = applications.find(({ id }) => id === applicationId)?.name ?? ''
  const others = all.filter(({ id }) => teams.every((team) => team.id !== id))
  return (
    <SettingsSection
      title="Teams"
      description={teamText.ofApplication}
      action={
        canEdit && (
          <Button leftSection={<IconPlus size={16} />} onClick={add.open}>
            Add a team
          </Button>
        )
      }
    >
      {teams.length > 0 && (
        <ItemList label="Teams">
          {teams.map((team) => (
            <TeamItem
              key={team.id}
              team={team}
              canEdit={canEdit}
              onChange={(role) => roles.change({ applicationId, team, before: team.role, role })}
              onRemove={() =>
                void roles.remove({ applicationId, application, team, role: team.role }).catch(showFailure)
              }
            />
          ))}
        </ItemList>
      )}
      {isAdding && (
        <AddRoleDialog
          title="Add a team"
          label="Team"
          options={others}
          texts={{ select: teamText.selectTeam, none: teamText.noTeamsToAdd }}
          onAdd={(teamId, role) => roles.save(applicationId, teamId, role)}
          onClose={add.close}
        />
      )}
    </SettingsSection>
  )
}

type ItemProps = {
  team: ApplicationTeam
  canEdit: boolean
  onChange: (role: Role) => Promise<void>
  onRemove: () => void
}

function TeamItem({ team, canEdit, onChange, onRemove }: ItemProps) {
  const { id, name, role, member_count: count } = team
  return (
    <Item
      leading={<IconUsersGroup size={18} />}
      title={
        <Link to="/teams/$teamId" params={{ teamId: id }} className={classes.link}>
          {name}
        </Link>
      }
      detail={<span>{plural(count, 'member')}</span>}
      end={
        canEdit ? (
          <RoleSelect<Role> name={name} value={role} roles={applicationRoles} onChange={onChange} />
        ) : (
          roleLabel(role)
        )
      }
      menu={
        canEdit && (
          <RowMenu label={`Actions for ${name}`}>
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={onRemove}>
              Remove from the application
            </Menu.Item>
          </RowMenu>
        )
      }
    />
  )
}
