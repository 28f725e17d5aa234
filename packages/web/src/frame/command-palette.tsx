import '@mantine/spotlight/styles.layer.css'
import { Spotlight, spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useSession } from '../api/session.ts'
import { applicationsQuery } from '../features/applications/application.queries.ts'
import { ApplicationIcon } from '../ui/application-icon.tsx'
import {
  IconDeviceMobile,
  IconHome,
  IconSearch,
  IconSettings,
  IconUser,
  IconUsersGroup,
  IconWorld,
} from '../ui/icons/icons.ts'
import { lazyOptional } from '../ui/loading/lazy.tsx'
import { listPageActions, subscribeToPageActions } from './page-actions.ts'
import { useActions } from './palette-actions.tsx'
import { useResults } from './palette-results.tsx'
import { setOpenPalette, takeTypedText } from './palette-store.ts'

const InviteDialog = lazyOptional(
  async () => (await import('../features/members/invite-dialog.tsx')).InviteDialog,
)

/** Goes to applications, builds, releases, streams and settings, and runs actions. Opens with Ctrl+K or ⌘K. */
export function CommandPalette() {
  const [text, setText] = useState('')
  // The palette is loaded when it is opened for the first time.
  useEffect(() => {
    setOpenPalette(spotlight.open)
    spotlight.open()
  }, [])
  const pageActions = useSyncExternalStore(subscribeToPageActions, listPageActions)
  const places = usePlaces()
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const { applicationId } = useParams({ strict: false })
  const application = applications.find(({ id }) => id === applicationId) ?? applications[0]
  const [isInviting, setIsInviting] = useState(false)
  const actions = [
    { group: 'On this page', actions: pageActions },
    ...useResults(text, application),
    ...places,
    { group: 'Actions', actions: useActions({ application, onInvite: () => setIsInviting(true) }) },
  ].filter(({ actions }) => actions.length > 0)
  return (
    <>
      <Spotlight
        actions={actions}
        query={text}
        onQueryChange={setText}
        shortcut={['mod + K']}
        nothingFound={`Nothing found${application === undefined ? '' : ` in ${application.name}`}. Search by version, title, build number, branch or commit.`}
        highlightQuery
        limit={60}
        scrollable
        maxHeight="60vh"
        searchProps={{
          leftSection: <IconSearch size={18} />,
          placeholder: 'Go to a build, release, stream or setting, or run an action',
          'aria-label': 'Search',
          onFocus: () => setText((current) => takeTypedText() || current),
        }}
      />
      {isInviting && (
        <Suspense>
          <InviteDialog onClose={() => setIsInviting(false)} />
        </Suspense>
      )}
    </>
  )
}

function usePlaces(): { group: string; actions: SpotlightActionData[] }[] {
  const navigate = useNavigate()
  const { can } = useSession()
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const section = (id: string, label: string, keywords: string) => ({
    id: `settings-${id}`,
    label: `Settings: ${label}`,
    keywords,
    leftSection: <IconSettings size={18} />,
    onClick: () => void navigate({ to: '/settings', search: { section: id } }),
  })
  const pages: (SpotlightActionData | false)[] = [
    {
      id: 'home',
      label: 'Home',
      leftSection: <IconHome size={18} />,
      onClick: () => void navigate({ to: '/' }),
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
    section('members', 'Members', 'people invitations roles users'),
    can('api_keys:read') && section('api-keys', 'API keys', 'tokens secrets scopes'),
    section('labels', 'Labels', 'tags'),
    section('audit-log', 'Audit log', 'history activity'),
    {
      id: 'account',
      label: 'Your account',
      keywords: 'password passkey two-factor sessions profile photo',
      leftSection: <IconUser size={18} />,
      onClick: () => void navigate({ to: '/account' }),
    },
  ]
  return [
    {
      group: 'Applications',
      actions: applications.map(({ id, name, icon_url: url }) => ({
        id: `application-${id}`,
        label: name,
        leftSection: <ApplicationIcon name={name} url={url} size={20} />,
        onClick: () => void navigate({ to: '/applications/$applicationId', params: { applicationId: id } }),
      })),
    },
    { group: 'Pages', actions: pages.filter((page) => page !== false) },
  ]
}
