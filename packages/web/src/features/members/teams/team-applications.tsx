import { Button, Menu } from '@mantine/core'
import type { Team, TeamApplication } from '@quayside/sdk'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { applicationRoles, roleLabel } from '../../../text/members/members.ts'
import { teamText } from '../../../text/members/teams.ts'
import { ApplicationIcon } from '../../../ui/application-icon.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { plural } from '../../../ui/format/bytes.ts'
import { IconApps, IconPlus, IconTrash } from '../../../ui/icons/icons.ts'
import { Loaded } from '../../../ui/loading/loaded.tsx'
import { RowMenu } from '../../../ui/menu/row-menu.tsx'
import phoneBar from '../../../ui/phone-bar.module.css'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import toolbar from '../../../ui/table/table-toolbar.module.css'
import { showFailure } from '../../../ui/toast.tsx'
import { applicationsQuery } from '../../applications/application.queries.ts'
import { RoleSelect } from '../role-select.tsx'
import { AddRoleDialog } from './add-role-dialog.tsx'
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
    { id: 'role', label: 'Role', width: '8.5rem', isInteractive: true, cell: roleOf },
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
              <div className={`${toolbar.toolbar} ${phoneBar.bar}`}>
                <span className={toolbar.count}>{plural(shown.length, 'application')}</span>
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
            <AddRoleDialog
              title={`Add ${team.name} to an application`}
              label="Application"
              options={editable.filter(({ id }) => shown.every((each) => each.id !== id))}
              texts={{ select: teamText.selectApplication, none: teamText.everyApplication }}
              onAdd={(id, role) => roles.save(id, team.id, role)}
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
