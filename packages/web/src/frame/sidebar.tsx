import { Kbd, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { isMac } from '../api/browser.ts'
import { useSession } from '../api/session.ts'
import { applicationsQuery } from '../features/applications/application.queries.ts'
import { SidebarUploads } from '../features/uploads/sidebar-uploads.tsx'
import { ApplicationIcon } from '../ui/application-icon.tsx'
import {
  IconDeviceMobile,
  IconHome,
  IconPlus,
  IconSearch,
  IconSettings,
  IconUpload,
  IconUsersGroup,
  IconWorld,
} from '../ui/icons/icons.ts'
import { SideNavLink } from '../ui/navigation/side-nav-link.tsx'
import { openPalette } from './palette/palette-store.ts'
import classes from './sidebar.module.css'
import { UserMenu } from './user-menu.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

/** Lists the applications and the pages of the workspace. */
export function Sidebar() {
  const { can, canSomewhere } = useSession()
  return (
    <nav className={classes.sidebar} aria-label="Main">
      <WorkspaceMenu />
      <UnstyledButton className={classes.search} onClick={openPalette}>
        <IconSearch size={16} />
        <span>Search</span>
        <Kbd size="xs">{isMac() ? '⌘K' : 'Ctrl K'}</Kbd>
      </UnstyledButton>
      <SideNavLink to="/" icon={<IconHome size={18} />} activeOptions={{ exact: true }}>
        Home
      </SideNavLink>
      {canSomewhere('builds:create') && (
        <SideNavLink to="/upload" icon={<IconUpload size={18} />}>
          Upload
        </SideNavLink>
      )}
      <Text component="h2" className={classes.heading}>
        Applications
      </Text>
      <ApplicationLinks />
      <div className={classes.workspace}>
        {can('portals:read') && (
          <SideNavLink to="/portals" icon={<IconWorld size={18} />}>
            Portals
          </SideNavLink>
        )}
        {can('distribution_groups:read') && (
          <SideNavLink to="/groups" icon={<IconUsersGroup size={18} />}>
            Groups
          </SideNavLink>
        )}
        {can('distribution_groups:read') && (
          <SideNavLink to="/devices" icon={<IconDeviceMobile size={18} />}>
            Devices
          </SideNavLink>
        )}
        <SideNavLink to="/settings" icon={<IconSettings size={18} />}>
          Settings
        </SideNavLink>
      </div>
      <SidebarUploads />
      <UserMenu />
    </nav>
  )
}

function ApplicationLinks() {
  const { can } = useSession()
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  return (
    <ScrollArea className={classes.applications} type="hover" scrollbarSize={6}>
      {applications.map(({ id, name, icon_url: url }) => (
        <SideNavLink
          key={id}
          to="/applications/$applicationId"
          params={{ applicationId: id }}
          icon={<ApplicationIcon name={name} url={url} size={20} />}
        >
          {name}
        </SideNavLink>
      ))}
      {applications.length === 0 && !can('applications:create') && (
        <Text className={classes.none}>None yet</Text>
      )}
      {can('applications:create') && (
        <SideNavLink to="/applications/new" icon={<IconPlus size={18} />}>
          New application
        </SideNavLink>
      )}
    </ScrollArea>
  )
}
