import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { releaseText } from '../../text/releases/release.ts'
import { plural } from '../../ui/format/bytes.ts'
import { IconPlus } from '../../ui/icons/icons.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { LoadMore } from '../../ui/loading/load-more.tsx'
import { ButtonLink } from '../../ui/navigation/button-link.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { NoReleases } from './list/no-releases.tsx'
import { ReleaseFilters } from './list/release-filters.tsx'
import { isFiltered, noReleaseFilters, type ReleaseListSearch } from './list/release-list.search.ts'
import { ReleaseTable } from './list/release-table.tsx'
import { releasePagesQuery } from './release.queries.ts'

const route = getRouteApi('/console/applications/$applicationId/releases')

/** The releases of an application. The filters and the order are in the URL. */
export function ReleaseListPage() {
  const { applicationId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { can } = useSession()
  const query = useInfiniteQuery({
    ...releasePagesQuery(applicationId, search),
    placeholderData: keepPreviousData,
  })
  const { data, error, refetch, isPlaceholderData } = query
  const releases = data?.pages.flatMap((page) => page.data)
  const total = data?.pages[0]?.pagination.total
  const onChange = (change: Partial<ReleaseListSearch>) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }), replace: 'search' in change })
  return (
    <>
      <PageHeader
        title="Releases"
        facts={total === undefined ? '\u00A0' : plural(total, 'release')}
        actions={
          can('releases:create', applicationId) && (
            <ButtonLink
              to="/applications/$applicationId/releases/new"
              params={{ applicationId }}
              leftSection={<IconPlus size={16} />}
            >
              New release
            </ButtonLink>
          )
        }
      />
      {(total !== 0 || isFiltered(search)) && (
        <ReleaseFilters applicationId={applicationId} search={search} onChange={onChange} />
      )}
      {error !== null && <FailureBanner error={error} onRetry={() => void refetch()} />}
      {total === 0 ? (
        <NoReleases
          applicationId={applicationId}
          isFiltered={isFiltered(search)}
          onClear={() => onChange(noReleaseFilters)}
        />
      ) : (
        (error === null || releases !== undefined) && (
          <ReleaseTable
            applicationId={applicationId}
            releases={releases}
            search={search}
            isStale={isPlaceholderData}
            onChange={onChange}
          />
        )
      )}
      <LoadMore query={query}>{releaseText.list.more}</LoadMore>
    </>
  )
}
