import { getRouteApi } from '@tanstack/react-router'
import { auditSubjects, auditText } from '../../text/audit-log.ts'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { auditSearch, type AuditSearch } from './audit-log.search.ts'
import { EntryFeed } from './entry-feed.tsx'
import { EntryFilters } from './entry-filters.tsx'
import { ExportButton } from './export-button.tsx'

const route = getRouteApi('/console/settings')

/** Every change in the workspace. Its filters are in the URL, and the filtered entries can be exported. */
export function AuditLogSection() {
  const { section, ...rest } = route.useSearch()
  const search = auditSearch(rest)
  const navigate = route.useNavigate()
  const onChange = (change: AuditSearch) => void navigate({ search: { section, ...search, ...change } })
  const onClear = () => void navigate({ search: { section } })
  return (
    <SettingsSection
      title="Audit log"
      description={auditText.auditLog}
      action={<ExportButton search={search} />}
    >
      <EntryFilters
        search={search}
        onChange={onChange}
        onClear={onClear}
        subjects={Object.keys(auditSubjects)}
        withApplications
      />
      <EntryFeed search={search} onClear={onClear} withApplications />
    </SettingsSection>
  )
}
