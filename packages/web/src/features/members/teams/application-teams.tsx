import { Button, Menu, Select, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import type { ApplicationTeam, Team } from '@quayside/sdk'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { applicationRoles, roleLabel } from '../../../text/members.ts'
import { teamText } from '../../../text/teams.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { SettingsSection } from '../../../ui/forms/settings-section.tsx'
import { IconTrash, IconUsersGroup } from '../../../ui/icons/icons.ts'
import { Item, ItemList } from '../../../ui/item-list.tsx'
import { RowMenu } from '../../../ui/menu/row-menu.tsx'
import { showFailure } from '../../../ui/toast.tsx'
import { applicationsQuery } from '../../applications/application.queries.ts'
import { RoleRadios } from '../role-radios.tsx'
import { RoleSelect } from '../role-select.tsx'
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
      action={canEdit && <Button onClick={add.open}>Add a team</Button>}
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
        <AddTeamDialog
          teams={others}
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

type DialogProps = {
  teams: readonly Team[]
  onAdd: (teamId: string, role: Role) => Promise<void>
  onClose: () => void
}

function AddTeamDialog({ teams, onAdd, onClose }: DialogProps) {
  const form = useForm<{ team: string | null; role: Role }>({
    initialValues: { team: null, role: 'developer' },
    validate: { team: (id) => (id === null ? teamText.selectTeam : null) },
  })
  return (
    <FormDialog
      title="Add a team"
      submitLabel="Add"
      form={form}
      onClose={onClose}
      isDisabled={teams.length === 0}
      onSubmit={async ({ team, role }) => {
        await onAdd(team ?? '', role)
        onClose()
      }}
    >
      {teams.length === 0 ? (
        <Text fz="sm">{teamText.noTeamsToAdd}</Text>
      ) : (
        <>
          <Select
            label="Team"
            searchable
            data-autofocus
            withScrollArea={false}
            styles={{ options: { maxHeight: 240, overflowY: 'auto' } }}
            {...form.getInputProps('team')}
            data={teams.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <RoleRadios<Role>
            roles={applicationRoles}
            value={form.values.role}
            onChange={(role) => form.setFieldValue('role', role)}
            error={form.errors['role']}
          />
        </>
      )}
    </FormDialog>
  )
}
