import { Kbd, Text, UnstyledButton } from '@mantine/core'
import { isMac } from '../api/browser.ts'
import { useSession } from '../api/session.ts'
import { UnreadCount } from '../features/notifications/unread-count.tsx'
import { SidebarUploads } from '../features/uploads/sidebar-uploads.tsx'
import {
  IconBell,
  IconDeviceMobile,
  IconHome,
  IconSearch,
  IconSettings,
  IconUpload,
  IconUsersGroup,
  IconWorld,
} from '../ui/icons/icons.ts'
import { SideNavLink } from '../ui/navigation/side-nav-link.tsx'
import { openPalette } from './palette/palette-store.ts'
import { SidebarApplications } from './sidebar-applications.tsx'
import classes from './sidebar.module.css'
import { UserMenu } from './user-menu.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

/** Lists the applications and the pages of the workspace. */
export function Sidebar({ isInDrawer = false }: { isInDrawer?: boolean }) {
  const { can, canSomewhere } = useSession()
  return (
    <nav className={classes.sidebar} aria-label="Main">
      <WorkspaceMenu />
      <UnstyledButton className={classes.search} onClick={() => openPalette()}>
        <IconSearch size={16} />
        <span>Search</span>
        <Kbd size="xs">{isMac() ? '⌘K' : 'Ctrl K'}</Kbd>
      </UnstyledButton>
      <SideNavLink to="/" icon={<IconHome size={18} />} activeOptions={{ exact: true }}>
        Home
      </SideNavLink>
      <SideNavLink to="/inbox" icon={<IconBell size={18} />} end={<UnreadCount />}>
        Inbox
      </SideNavLink>
      {canSomewhere('builds:create') && (
        <SideNavLink to="/upload" icon={<IconUpload size={18} />}>
          Upload
        </SideNavLink>
      )}
      <Text component="h2" className={classes.heading}>
        Applications
      </Text>
      <SidebarApplications isInDrawer={isInDrawer} />
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
