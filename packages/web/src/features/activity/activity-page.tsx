import { getRouteApi } from '@tanstack/react-router'
import { applicationSubjects } from '../../text/audit-log.ts'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import type { AuditSearch } from '../audit-log/audit-log.search.ts'
import { EntryFeed } from '../audit-log/entry-feed.tsx'
import { EntryFilters } from '../audit-log/entry-filters.tsx'
import { ExportButton } from '../audit-log/export-button.tsx'

const route = getRouteApi('/console/applications/$applicationId/activity')

/** What happened in an application, by day. */
export function ActivityPage() {
  const { applicationId } = route.useParams()
  const search = { ...route.useSearch(), application: applicationId }
  const navigate = route.useNavigate()
  const onChange = (change: AuditSearch) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }) })
  const onClear = () => void navigate({ search: {} })
  return (
    <>
      <PageHeader title="Activity" actions={<ExportButton search={search} />} />
      <EntryFilters search={search} onChange={onChange} onClear={onClear} subjects={applicationSubjects} />
      <EntryFeed search={search} onClear={onClear} dayHeading="h2" />
    </>
  )
}
