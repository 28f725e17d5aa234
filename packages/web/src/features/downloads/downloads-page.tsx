import { Box, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { exportUrl } from '../../api/export-url.ts'
import { downloadsText } from '../../text/distribution/downloads.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { plural } from '../../ui/format/bytes.ts'
import { IconDownload } from '../../ui/icons/icons.ts'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { DownloadFilters } from './download-filters.tsx'
import { DownloadTable } from './download-table.tsx'
import { downloadTotalsQuery } from './download.queries.ts'
import { downloadFilter, isFiltered, type DownloadFilter, type DownloadsSearch } from './downloads.search.ts'
import { TotalsTable } from './totals-table.tsx'

const route = getRouteApi('/console/applications/$applicationId/downloads')

/** Who downloaded what, with the filters in the URL. */
export function DownloadsPage() {
  const { applicationId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const filter = downloadFilter(search)
  const onChange = (change: DownloadsSearch) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }), replace: true })
  const onClear = () => void navigate({ search: { by: search.by }, replace: true })
  // Nothing can be filtered or exported before the first download.
  const { data: totals } = useQuery(downloadTotalsQuery(applicationId, filter, 'channel'))
  const isUnused = totals?.download_count === 0 && !isFiltered(search)
  const empty = <NoDownloads isFiltered={isFiltered(search)} onClear={onClear} />
  return (
    <>
      <PageHeader
        title="Downloads"
        facts={totals === undefined ? '…' : plural(totals.download_count, 'download')}
        actions={isUnused ? undefined : <ExportLink applicationId={applicationId} filter={filter} />}
      />
      {!isUnused && (
        <Box mb="md">
          <DownloadFilters
            applicationId={applicationId}
            search={search}
            onChange={onChange}
            onClear={onClear}
          />
        </Box>
      )}
      {search.by === undefined ? (
        <DownloadTable applicationId={applicationId} filter={filter} empty={empty} />
      ) : (
        <TotalsTable
          applicationId={applicationId}
          filter={filter}
          by={search.by}
          onSelect={onChange}
          empty={empty}
        />
      )}
    </>
  )
}

type FilterProps = { applicationId: string; filter: DownloadFilter }

/** Exports the downloads that match the filter. */
export const ExportLink = ({ applicationId, filter }: FilterProps) => (
  <Button
    component="a"
    href={exportUrl(applicationId, 'downloads', filter)}
    download
    variant="default"
    size="xs"
    leftSection={<IconDownload size={14} />}
  >
    Export CSV
  </Button>
)

function NoDownloads({ isFiltered: hasFilters, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!hasFilters)
    return (
      <EmptyState icon={<IconDownload size={22} />} title="No downloads yet">
        {downloadsText.none}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<IconDownload size={22} />}
      title="No matching downloads"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      {downloadsText.noneMatches}
    </EmptyState>
  )
}
