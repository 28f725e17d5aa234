import { useDebouncedValue } from '@mantine/hooks'
import type { SpotlightActionData } from '@mantine/spotlight'
import type { Application } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'
import { useSession } from '../../api/session.ts'
import { joinValues } from '../../features/builds/list/build-list.search.ts'
import { viewsQuery } from '../../features/builds/views/view.queries.ts'
import { groupsQuery } from '../../features/distribution-groups/group.queries.ts'
import { workspaceMembersQuery } from '../../features/members/member.queries.ts'
import { portalsQuery } from '../../features/portals/portal.queries.ts'
import { streamsQuery } from '../../features/streams/stream.queries.ts'
import { viewText } from '../../text/builds/views.ts'
import { releaseStatusText } from '../../text/releases/release-status.ts'
import {
  IconBookmark,
  IconGitBranch,
  IconRocket,
  IconUser,
  IconUsersGroup,
  IconWorld,
} from '../../ui/icons/icons.ts'
import { PlatformIcon } from '../../ui/platform-icon.tsx'

const minSearchLength = 2
const maxResults = 6

/**
 * Searches the builds, releases and streams of an application, and the groups, portals and people of the workspace. The
 * server searches only the builds and releases, of which there can be many.
 */
export function useResults(text: string, application: Application | undefined) {
  const [search] = useDebouncedValue(text.trim(), 150)
  const isSearching = text.trim().length >= minSearchLength && search.length >= minSearchLength
  const { can } = useSession()
  const { id, name } = application ?? { id: '', name: '' }
  const isAllowed = (scope: string) => application !== undefined && isSearching && can(scope, id)
  const isAllowedInWorkspace = (scope: string) => isSearching && can(scope)
  return [
    { group: `Builds in ${name}`, actions: useBuilds(id, search, isAllowed('builds:read')) },
    { group: `Releases in ${name}`, actions: useReleases(id, search, isAllowed('releases:read')) },
    { group: `Saved views in ${name}`, actions: useViews(id, isAllowed('builds:read')) },
    { group: `Streams in ${name}`, actions: useStreams(id, isAllowed('application:read')) },
    { group: 'Distribution groups', actions: useGroups(isAllowedInWorkspace('distribution_groups:read')) },
    { group: 'Portals', actions: usePortals(isAllowedInWorkspace('portals:read')) },
    { group: 'People', actions: usePeople(isAllowedInWorkspace('members:read')) },
  ]
}

const page = { per_page: maxResults, sort_by: 'created_at', sort: 'desc' } as const

function useBuilds(applicationId: string, search: string, enabled: boolean): SpotlightActionData[] {
  const navigate = useNavigate()
  const { data: builds = [] } = useQuery({
    queryKey: applicationKey(applicationId, 'builds', 'palette', search),
    queryFn: async ({ signal }) =>
      (await api.listBuilds({ ...page, application_id: applicationId, search }, { signal })).data,
    enabled,
    placeholderData: (previous) => previous,
  })
  if (!enabled) return []
  return builds.map(({ id, version, build_number: number, platform, stream, scm }) => ({
    id: `build-${id}`,
    label: number === null ? version : `${version} (${number})`,
    description: [stream.name, scm.scm_branch].filter(Boolean).join(' · '),
    // The server has already matched the text, possibly in a field that is not shown.
    keywords: search,
    leftSection: <PlatformIcon platform={platform} />,
    onClick: () =>
      void navigate({
        to: '/applications/$applicationId/builds/$buildId',
        params: { applicationId, buildId: id },
      }),
  }))
}

function useReleases(applicationId: string, search: string, enabled: boolean): SpotlightActionData[] {
  const navigate = useNavigate()
  const { data: releases = [] } = useQuery({
    queryKey: applicationKey(applicationId, 'releases', 'palette', search),
    queryFn: async ({ signal }) =>
      (await api.listReleases({ ...page, application_id: applicationId, search }, { signal })).data,
    enabled,
    placeholderData: (previous) => previous,
  })
  if (!enabled) return []
  return releases.map(({ id, version, title, status }) => ({
    id: `release-${id}`,
    label: `${version} · ${title}`,
    description: releaseStatusText[status],
    keywords: search,
    leftSection: <IconRocket size={18} />,
    onClick: () =>
      void navigate({
        to: '/applications/$applicationId/releases/$releaseId',
        params: { applicationId, releaseId: id },
      }),
  }))
}

function useViews(applicationId: string, enabled: boolean): SpotlightActionData[] {
  const navigate = useNavigate()
  const { data: views = [] } = useQuery({ ...viewsQuery(applicationId), enabled })
  if (!enabled) return []
  return views.map(({ id, name, visibility }) => ({
    id: `view-${id}`,
    label: name,
    description: viewText.kind[visibility],
    leftSection: <IconBookmark size={18} />,
    onClick: () =>
      void navigate({
        to: '/applications/$applicationId/views/$viewId',
        params: { applicationId, viewId: id },
      }),
  }))
}

function useStreams(applicationId: string, enabled: boolean): SpotlightActionData[] {
  const navigate = useNavigate()
  const { data: streams = [] } = useQuery({ ...streamsQuery(applicationId), enabled })
  if (!enabled) return []
  return streams.map(({ id, name, description }) => ({
    id: `stream-${id}`,
    label: name,
    ...(description === null ? {} : { description }),
    leftSection: <IconGitBranch size={18} />,
    onClick: () =>
      void navigate({
        to: '/applications/$applicationId',
        params: { applicationId },
        search: { streams: joinValues([name]) },
      }),
  }))
}

function useGroups(enabled: boolean): SpotlightActionData[] {
  const navigate = useNavigate()
  const { data: groups = [] } = useQuery({ ...groupsQuery, enabled })
  if (!enabled) return []
  return groups.map(({ id, name }) => ({
    id: `group-${id}`,
    label: name,
    leftSection: <IconUsersGroup size={18} />,
    onClick: () => void navigate({ to: '/groups/$groupId', params: { groupId: id } }),
  }))
}

function usePortals(enabled: boolean): SpotlightActionData[] {
  const navigate = useNavigate()
  const { data: portals = [] } = useQuery({ ...portalsQuery, enabled })
  if (!enabled) return []
  return portals.map(({ id, name }) => ({
    id: `portal-${id}`,
    label: name,
    leftSection: <IconWorld size={18} />,
    onClick: () => void navigate({ to: '/portals/$portalId/edit', params: { portalId: id } }),
  }))
}

function usePeople(enabled: boolean): SpotlightActionData[] {
  const navigate = useNavigate()
  const { data: members = [] } = useQuery({ ...workspaceMembersQuery, enabled })
  if (!enabled) return []
  return members.map(({ id, name, email }) => ({
    id: `person-${id}`,
    label: name,
    description: email,
    leftSection: <IconUser size={18} />,
    onClick: () => void navigate({ to: '/settings', search: { section: 'members' } }),
  }))
}
