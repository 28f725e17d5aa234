import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { auditSubjects } from '../../text/audit-log.ts'
import { DateFilters, FilterBar } from '../../ui/forms/filter-bar.tsx'
import { applicationsQuery } from '../applications/application.queries.ts'
import { ActorSelect } from './actor-select.tsx'
import { recentEntriesQuery } from './audit-log.queries.ts'
import { isAuditFiltered, type AuditSearch } from './audit-log.search.ts'

type Props = {
  search: AuditSearch
  onChange: (change: AuditSearch) => void
  onClear: () => void
  subjects: readonly string[]
  withApplications?: boolean
}

/** The filters of an audit log: what, who, where and when. */
export function EntryFilters({ search, onChange, onClear, subjects, withApplications = false }: Props) {
  const { data: recent = [] } = useQuery(recentEntriesQuery)
  const actors = new Set([search.actor ?? '', ...recent.map(({ actor }) => actor.name)])
  actors.delete('')
  const actions = auditSubjects[search.subject ?? '']?.actions ?? []
  // Four fields are always shown.
  const others = [actions.length > 0, withApplications, isAuditFiltered(search)]
  const isOdd = others.filter(Boolean).length % 2 === 1
  return (
    <FilterBar isOdd={isOdd}>
      <Select
        size="xs"
        aria-label="Resource"
        placeholder="Everything"
        clearable
        searchable
        data={subjects.map((value) => ({ value, label: auditSubjects[value]?.label ?? value }))}
        value={search.subject ?? null}
        onChange={(subject) => onChange({ subject: subject ?? undefined, action: undefined })}
      />
      {actions.length > 0 && <ActionSelect search={search} actions={actions} onChange={onChange} />}
      <ActorSelect actors={[...actors]} value={search.actor} onChange={(actor) => onChange({ actor })} />
      {withApplications && <ApplicationSelect search={search} onChange={onChange} />}
      <DateFilters
        from={search.after}
        to={search.before}
        onFrom={(after) => onChange({ after })}
        onTo={(before) => onChange({ before })}
      />
      {isAuditFiltered(search) && (
        <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
          Clear
        </Button>
      )}
    </FilterBar>
  )
}

type FieldProps = Pick<Props, 'search' | 'onChange'>

function ActionSelect({ search, actions, onChange }: FieldProps & { actions: readonly string[] }) {
  return (
    <Select
      size="xs"
      aria-label="Action"
      placeholder="Any action"
      clearable
      data={actions.map((verb) => ({
        value: `${search.subject}.${verb}`,
        label: verb.replaceAll('_', ' '),
      }))}
      value={search.action ?? null}
      onChange={(action) => onChange({ action: action ?? undefined })}
    />
  )
}

function ApplicationSelect({ search, onChange }: FieldProps) {
  const { data: applications = [] } = useQuery(applicationsQuery)
  return (
    <Select
      size="xs"
      aria-label="Application"
      placeholder="Any application"
      clearable
      searchable
      data={applications.map(({ id, name }) => ({ value: id, label: name }))}
      value={search.application ?? null}
      onChange={(application) => onChange({ application: application ?? undefined })}
    />
  )
}
