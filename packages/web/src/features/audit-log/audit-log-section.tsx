import { Pagination } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { settingsText } from '../../text/settings.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { describeEntry } from './describe-entry.ts'

const route = getRouteApi('/console/settings')

const auditPageQuery = (page: number) =>
  queryOptions({
    queryKey: ['workspace', 'audit-log', 'page', page],
    queryFn: ({ signal }) =>
      api.listAuditLog({ page, per_page: 50, sort_by: 'created_at', sort: 'desc' }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Every change in the workspace, newest first. */
export function AuditLogSection() {
  const page = Number(route.useSearch().page ?? 1)
  const navigate = useNavigate()
  const query = useQuery(auditPageQuery(page))
  return (
    <SettingsSection title="Audit log" description={settingsText.auditLog}>
      <Loaded query={query} rows={10}>
        {({ data: entries, pagination }) => (
          <>
            <ItemList label="Audit log">
              {entries.map((entry) => (
                <Item
                  key={entry.id}
                  leading={<ApplicationIcon name={entry.actor.name} url={null} size={24} round />}
                  title={`${entry.actor.name} ${describeEntry(entry)}`}
                  detail={<code>{entry.action}</code>}
                  end={<RelativeTime time={entry.created_at} />}
                />
              ))}
            </ItemList>
            {pagination.last_page > 1 && (
              <Pagination
                mt="md"
                total={pagination.last_page}
                value={page}
                onChange={(next) =>
                  void navigate({ to: '/settings', search: { section: 'audit-log', page: String(next) } })
                }
                getControlProps={(control) => ({ 'aria-label': `${control} page` })}
              />
            )}
          </>
        )}
      </Loaded>
    </SettingsSection>
  )
}
