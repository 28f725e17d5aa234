import { Button } from '@mantine/core'
import { allItems, type Application } from '@quayside/sdk'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { applicationListKey, workspaceKey } from '../../api/query-keys.ts'
import { applicationText } from '../../text/applications.ts'
import { settingsText } from '../../text/settings.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconTrash } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { showDone, showFailure } from '../../ui/toast.tsx'

const deletedApplicationsQuery = queryOptions({
  queryKey: workspaceKey('deleted-applications'),
  queryFn: ({ signal }) =>
    allItems((page) => api.listApplications({ trashed: true, page, per_page: 100 }, { signal })),
})

/** The applications in the trash, which can be restored. */
export function DeletedApplicationsSection() {
  const query = useQuery(deletedApplicationsQuery)
  return (
    <SettingsSection title="Deleted applications" description={settingsText.trash}>
      <Loaded query={query}>
        {(applications) =>
          applications.length === 0 ? (
            <EmptyState icon={<IconTrash size={22} />} title="No deleted applications">
              {settingsText.emptyTrash}
            </EmptyState>
          ) : (
            <ItemList label="Deleted applications">
              {applications.map((application) => (
                <DeletedItem key={application.id} application={application} />
              ))}
            </ItemList>
          )
        }
      </Loaded>
    </SettingsSection>
  )
}

function DeletedItem({ application }: { application: Application }) {
  const { id, name, icon_url: url, storage_usage: storage, deleted_at: deletedAt } = application
  const { deleted_by: deleter, purge_at: purgeAt } = application
  const [isRunning, setIsRunning] = useState(false)
  const queryClient = useQueryClient()
  async function restore(): Promise<void> {
    setIsRunning(true)
    try {
      await api.restoreApplication({ application_id: id })
      showDone(applicationText.restored(name))
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: applicationListKey }),
        queryClient.invalidateQueries({ queryKey: workspaceKey() }),
      ])
    } catch (error) {
      showFailure(error)
    } finally {
      setIsRunning(false)
    }
  }
  return (
    <Item
      leading={<ApplicationIcon name={name} url={url} size={32} />}
      title={name}
      detail={
        <>
          <span>{storage.total_string}</span>
          {deletedAt !== undefined && (
            <span>
              deleted <RelativeTime time={deletedAt} />
              {deleter?.name !== undefined && ` by ${deleter.name}`}
            </span>
          )}
          {purgeAt !== undefined && (
            <span>
              permanently deleted <RelativeTime time={purgeAt} />
            </span>
          )}
        </>
      }
      end={
        <Button variant="default" size="xs" loading={isRunning} onClick={() => void restore()}>
          Restore
        </Button>
      }
    />
  )
}
