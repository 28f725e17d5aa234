import type { SpotlightActionData } from '@mantine/spotlight'
import type { Application } from '@quayside/sdk'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useRouterState } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { useApplicationTabs } from '../../features/applications/application-tabs.ts'
import { applicationsQuery } from '../../features/applications/application.queries.ts'
import { usePins } from '../../features/pins/pin.queries.ts'
import { useSettingsGroups } from '../../features/settings/settings-groups.tsx'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import {
  IconBell,
  IconBox,
  IconDeviceMobile,
  IconHistory,
  IconHome,
  IconPin,
  IconUser,
  IconUsersGroup,
  IconWorld,
} from '../../ui/icons/icons.ts'
import { useRecentApplications, useRecentPages } from './recent-pages.ts'
import { inSwitcherOrder } from './switcher-order.ts'

type Group = { group: string; actions: SpotlightActionData[] }

/** Returns the pages that the person has left last, without the open one. */
export function useRecent(): SpotlightActionData[] {
  const navigate = useNavigate()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return useRecentPages()
    .filter(({ href }) => href !== path)
    .map(({ href, title }) => ({
      id: `recent-${href}`,
      label: title,
      leftSection: <IconHistory size={18} />,
      onClick: () => void navigate({ to: href }),
    }))
}

/** As many as do not push the other groups out of sight before the person types. */
const maxUnsearched = 8

/** Returns all applications: the pinned ones, the recent ones, and then the others. */
export function useApplications(): SpotlightActionData[] {
  const navigate = useNavigate()
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const pins = usePins()
  const recentIds = useRecentApplications()
  const { applicationId: openId } = useParams({ strict: false })
  return inSwitcherOrder({ applications, pins, recentIds, openId }).map(({ id, name, icon_url: url }) => ({
    id: `application-${id}`,
    label: name,
    leftSection: <ApplicationIcon name={name} url={url} size={20} />,
    rightSection: pins.applicationIds.includes(id) ? <IconPin size={14} aria-label="pinned" /> : null,
    onClick: () => void navigate({ to: '/applications/$applicationId', params: { applicationId: id } }),
  }))
}

/** Returns the applications, the pages of the open one, and the pages of the workspace. */
export function usePlaces(application: Application | undefined, text: string): Group[] {
  const applications = useApplications()
  const { id: openId = '', name: openName = '' } = application ?? {}
  const applicationPages = useApplicationPages(openId, openName)
  return [
    {
      group: 'Applications',
      actions: text.trim() === '' ? applications.slice(0, maxUnsearched) : applications,
    },
    { group: openName, actions: application === undefined ? [] : applicationPages },
    { group: 'Pages', actions: usePages() },
    { group: 'Settings', actions: useSettings() },
  ]
}

function useApplicationPages(applicationId: string, name: string): SpotlightActionData[] {
  const navigate = useNavigate()
  return useApplicationTabs(applicationId).map(({ label, link }) => ({
    id: `page-${label}`,
    label,
    keywords: name,
    leftSection: <IconBox size={18} />,
    onClick: () => void navigate(link),
  }))
}

function usePages(): SpotlightActionData[] {
  const navigate = useNavigate()
  const { can } = useSession()
  const pages: (SpotlightActionData | false)[] = [
    {
      id: 'home',
      label: 'Home',
      leftSection: <IconHome size={18} />,
      onClick: () => void navigate({ to: '/' }),
    },
    {
      id: 'inbox',
      label: 'Inbox',
      keywords: 'notifications unread mentions',
      leftSection: <IconBell size={18} />,
      onClick: () => void navigate({ to: '/inbox' }),
    },
    can('portals:read') && {
      id: 'portals',
      label: 'Portals',
      leftSection: <IconWorld size={18} />,
      onClick: () => void navigate({ to: '/portals' }),
    },
    can('distribution_groups:read') && {
      id: 'groups',
      label: 'Distribution groups',
      keywords: 'testers',
      leftSection: <IconUsersGroup size={18} />,
      onClick: () => void navigate({ to: '/groups' }),
    },
    can('distribution_groups:read') && {
      id: 'devices',
      label: 'Devices',
      keywords: 'udid iphone ipad profile',
      leftSection: <IconDeviceMobile size={18} />,
      onClick: () => void navigate({ to: '/devices' }),
    },
    {
      id: 'account',
      label: 'Your account',
      keywords: 'password passkey two-factor sessions profile photo',
      leftSection: <IconUser size={18} />,
      onClick: () => void navigate({ to: '/account' }),
    },
  ]
  return pages.filter((page) => page !== false)
}

/** Words by which people look for a section of the settings. */
const keywords: Record<string, string> = {
  members: 'people invitations roles users',
  teams: 'groups people roles',
  'api-keys': 'tokens secrets scopes',
  labels: 'tags',
  'custom-targets': 'variants devices',
  streams: 'retention defaults',
  storage: 'disk bytes usage space',
  emails: 'outbox mail smtp',
  'audit-log': 'history activity',
  trash: 'restore',
}

function useSettings(): SpotlightActionData[] {
  const navigate = useNavigate()
  return useSettingsGroups()
    .flatMap(({ sections }) => sections)
    .map(({ id, label, icon }) => ({
      id: `settings-${id}`,
      label: `Settings: ${label}`,
      keywords: keywords[id] ?? '',
      leftSection: icon,
      onClick: () => void navigate({ to: '/settings', search: { section: id } }),
    }))
}
