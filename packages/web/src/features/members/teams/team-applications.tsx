import { Button, Menu, Select, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Team, TeamApplication } from '@quayside/sdk'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { applicationRoles, roleLabel } from '../../../text/members.ts'
import { teamText } from '../../../text/teams.ts'
import { ApplicationIcon } from '../../../ui/application-icon.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { plural } from '../../../ui/format/bytes.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { IconApps, IconPlus, IconTrash } from '../../../ui/icons/icons.ts'
import { Loaded } from '../../../ui/loading/loaded.tsx'
import { RowMenu } from '../../../ui/menu/row-menu.tsx'
import phoneBar from '../../../ui/phone-bar.module.css'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { showFailure } from '../../../ui/toast.tsx'
import { applicationsQuery } from '../../applications/application.queries.ts'
import { RoleRadios } from '../role-radios.tsx'
import { RoleSelect } from '../role-select.tsx'
import classes from './team-page.module.css'
import { teamApplicationsQuery } from './team.queries.ts'
import { useTeamRoles, type Role } from './use-team-roles.ts'

/** The applications in which a team has a role. */
export function TeamApplications({ team }: { team: Team }) {
  const { can } = useSession()
  const query = useQuery(teamApplicationsQuery(team.id))
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const [isAdding, setIsAdding] = useState(false)
  const roles = useTeamRoles()
  const editable = applications.filter(({ id }) => can('members:write', id))
  const add = editable.length > 0 && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsAdding(true)}>
      Add to an application
    </Button>
  )
  const roleOf = ({ id, name, role }: TeamApplication) =>
    can('members:write', id) ? (
      <RoleSelect<Role>
        name={`${team.name} in ${name}`}
        value={role}
        roles={applicationRoles}
        onChange={(next) => roles.change({ applicationId: id, team, before: role, role: next })}
      />
    ) : (
      roleLabel(role)
    )
  const menuOf = ({ id, name, role }: TeamApplication) =>
    can('members:write', id) && (
      <RowMenu label={`Actions for ${name}`}>
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={() =>
            void roles.remove({ applicationId: id, application: name, team, role }).catch(showFailure)
          }
        >
          Remove from the application
        </Menu.Item>
      </RowMenu>
    )
  const columns: Column<TeamApplication>[] = [
    nameColumn,
    { id: 'role', label: 'Role', width: '11rem', isInteractive: true, cell: roleOf },
    {
      id: 'menu',
      label: 'Actions',
      isLabelHidden: true,
      width: '3rem',
      isAtEnd: true,
      isInteractive: true,
      cell: menuOf,
    },
  ]
  return (
    <Loaded query={query}>
      {(shown) => (
        <>
          {shown.length === 0 ? (
            <EmptyState
              icon={<IconApps size={22} />}
              title="No applications yet"
              action={add === false ? undefined : add}
            >
              {add === false ? teamText.noReachableApplications : teamText.noApplications}
            </EmptyState>
          ) : (
            <>
              <div className={`${classes.toolbar} ${phoneBar.bar}`}>
                <span className={classes.count}>{plural(shown.length, 'application')}</span>
                {add}
              </div>
              <DataTable
                label="Applications"
                columns={columns}
                rows={shown}
                keyOf={({ id }) => id}
                isCompact
              />
            </>
          )}
          {isAdding && (
            <AddDialog
              team={team}
              applications={editable.filter(({ id }) => shown.every((each) => each.id !== id))}
              onClose={() => setIsAdding(false)}
            />
          )}
        </>
      )}
    </Loaded>
  )
}

const nameColumn: Column<TeamApplication> = {
  id: 'application',
  label: 'Application',
  width: 'minmax(0, 1fr)',
  isInteractive: true,
  cell: (application) => <ApplicationName application={application} />,
}

function ApplicationName({ application: { id, name, icon_url: icon } }: { application: TeamApplication }) {
  return (
    <div className={classes.member}>
      <ApplicationIcon name={name} url={icon} size={24} />
      <Link
        to="/applications/$applicationId/settings"
        params={{ applicationId: id }}
        search={{ section: 'members' }}
        className={classes.link}
      >
        {name}
      </Link>
    </div>
  )
}

type DialogProps = {
  team: Team
  applications: readonly { id: string; name: string }[]
  onClose: () => void
}

function AddDialog({ team, applications, onClose }: DialogProps) {
  const roles = useTeamRoles()
  const form = useForm<{ application: string | null; role: Role }>({
    initialValues: { application: null, role: 'developer' },
    validate: { application: (id) => (id === null ? teamText.selectApplication : null) },
  })
  return (
    <FormDialog
      title={`Add ${team.name} to an application`}
      submitLabel="Add"
      form={form}
      onClose={onClose}
      isDisabled={applications.length === 0}
      onSubmit={async ({ application, role }) => {
        await roles.save(application ?? '', team.id, role)
        onClose()
      }}
    >
      {applications.length === 0 ? (
        <Text fz="sm">{teamText.everyApplication}</Text>
      ) : (
        <>
          <Select
            label="Application"
            searchable
            data-autofocus
            withScrollArea={false}
            styles={{ options: { maxHeight: 240, overflowY: 'auto' } }}
            {...form.getInputProps('application')}
            data={applications.map(({ id, name }) => ({ value: id, label: name }))}
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
