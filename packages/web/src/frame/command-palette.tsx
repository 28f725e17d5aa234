import { useDebouncedValue } from '@mantine/hooks'
import '@mantine/spotlight/styles.layer.css'
import { Spotlight, spotlight, type SpotlightActionData } from '@mantine/spotlight'
import {
  IconHome,
  IconPlus,
  IconSearch,
  IconSettings,
  IconUpload,
  IconUser,
  IconUsersGroup,
  IconWorld,
} from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { api } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { applicationsQuery } from '../features/applications/application.queries.ts'
import { ApplicationIcon } from '../ui/application-icon.tsx'
import { PlatformIcon } from '../ui/platform-icon.tsx'
import { listPageActions, subscribeToPageActions } from './page-actions.ts'
import { setOpenPalette, takeTypedText } from './palette-store.ts'

const minSearchLength = 2
const maxBuilds = 6

/** Goes to applications, builds and settings, and runs the actions of the page. Opens with Ctrl+K or ⌘K. */
export function CommandPalette() {
  const [text, setText] = useState('')
  // The palette is loaded when it is opened for the first time.
  useEffect(() => {
    setOpenPalette(spotlight.open)
    spotlight.open()
  }, [])
  const pageActions = useSyncExternalStore(subscribeToPageActions, listPageActions)
  const places = usePlaces()
  const builds = useFoundBuilds(text)
  const actions = [
    { group: 'On this page', actions: pageActions },
    { group: 'Builds', actions: builds },
    ...places,
  ].filter(({ actions }) => actions.length > 0)
  return (
    <Spotlight
      actions={actions}
      query={text}
      onQueryChange={setText}
      shortcut={['mod + K']}
      nothingFound="Nothing found. Search by version, build number, branch or commit."
      highlightQuery
      limit={30}
      scrollable
      maxHeight="60vh"
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Go to an application, build or setting, or run an action',
        'aria-label': 'Search',
        onFocus: () => setText((current) => takeTypedText() || current),
      }}
    />
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
    {
      id: 'upload',
      label: 'Upload builds',
      leftSection: <IconUpload size={18} />,
      onClick: () => void navigate({ to: '/upload' }),
    },
    can('applications:create') && {
      id: 'new-application',
      label: 'New application',
      leftSection: <IconPlus size={18} />,
      onClick: () => void navigate({ to: '/applications/new' }),
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

/** Searches the builds of the open application, or of the first one if none is open. */
function useFoundBuilds(text: string): SpotlightActionData[] {
  const navigate = useNavigate()
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const { applicationId = applications[0]?.id } = useParams({ strict: false })
  const [search] = useDebouncedValue(text.trim(), 150)
  const { data: builds = [] } = useQuery({
    queryKey: ['applications', applicationId, 'builds', 'palette', search],
    queryFn: async ({ signal }) => {
      const query = {
        application_id: applicationId ?? '',
        search,
        per_page: maxBuilds,
        sort_by: 'created_at' as const,
        sort: 'desc' as const,
      }
      return (await api.listBuilds(query, { signal })).data
    },
    enabled: applicationId !== undefined && search.length >= minSearchLength,
    placeholderData: (previous) => previous,
  })
  if (applicationId === undefined || text.trim().length < minSearchLength) return []
  return builds.map(({ id, version, build_number: number, platform, stream, scm }) => ({
    id: `build-${id}`,
    label: number === null ? version : `${version} (${number})`,
    description: [stream.name, scm.scm_branch].filter(Boolean).join(' · '),
    // The server has already matched the text, possibly in a field that is not shown.
    keywords: text,
    leftSection: <PlatformIcon platform={platform} />,
    onClick: () =>
      void navigate({
        to: '/applications/$applicationId/builds/$buildId',
        params: { applicationId, buildId: id },
      }),
  }))
}
