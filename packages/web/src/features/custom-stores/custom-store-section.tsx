import { Button, Stack, Text, Title } from '@mantine/core'
import type { ApplicationStores, CustomStore, CustomStoreReport } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { serviceUrl } from '../../api/browser.ts'
import { useSession } from '../../api/session.ts'
import { storeText } from '../../text/custom-stores.ts'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { applicationQuery } from '../applications/application.queries.ts'
import { customStoreQuery } from './custom-store.queries.ts'
import { SavedStore } from './saved-store.tsx'
import { StoreEditor } from './store-editor.tsx'
import { StoreFacts } from './store-facts.tsx'
import { StoreReport } from './store-report.tsx'

/** Where the files of an application are stored. */
export function CustomStoreSection({ applicationId }: { applicationId: string }) {
  const query = useQuery(customStoreQuery(applicationId))
  return (
    <SettingsSection
      title="Storage"
      description={
        <>
          {storeText.section} <a href={`${serviceUrl}/docs/custom-storage`}>About custom storage</a>
        </>
      }
    >
      <Loaded query={query}>{(stores) => <Stores applicationId={applicationId} stores={stores} />}</Loaded>
    </SettingsSection>
  )
}

function Stores({ applicationId, stores }: { applicationId: string; stores: ApplicationStores }) {
  const { enabled, store, previous_stores: previous } = stores
  const canEdit = useSession().can('application:write', applicationId)
  const queryClient = useQueryClient()
  const [report, setReport] = useState<CustomStoreReport>()
  const [isEditing, setIsEditing] = useState(false)
  const [isSaved, setIsSaved] = useState(false)
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries(customStoreQuery(applicationId)),
      queryClient.invalidateQueries(applicationQuery(applicationId)),
    ])
  return (
    <Stack>
      {isSaved && <SavedNotice />}
      {store !== null && !isEditing && (
        <SavedStore
          applicationId={applicationId}
          store={store}
          enabled={enabled}
          canEdit={canEdit}
          onReport={setReport}
          onChanged={refresh}
          onEdit={() => setIsEditing(true)}
        />
      )}
      {store === null && !canEdit && <Text fz="sm">{storeText.hosted}</Text>}
      {canEdit && (store === null || isEditing) && (
        <StoreEditor
          applicationId={applicationId}
          store={store}
          onReport={setReport}
          onCancel={store === null ? undefined : () => setIsEditing(false)}
          onSaved={async () => {
            await refresh()
            setIsEditing(false)
            setIsSaved(true)
          }}
        />
      )}
      {report !== undefined && (
        <Stack gap="sm" role="status" aria-label="Bucket test">
          <Title order={3}>{report.passed ? 'All steps passed' : 'The test failed'}</Title>
          <StoreReport report={report} />
        </Stack>
      )}
      {previous.length > 0 && <PreviousStores stores={previous} />}
    </Stack>
  )
}

function SavedNotice() {
  return (
    <Notice kind="good" title={storeText.saved}>
      {storeText.reload}{' '}
      <Button size="compact-sm" variant="default" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </Notice>
  )
}

function PreviousStores({ stores }: { stores: readonly CustomStore[] }) {
  return (
    <Stack gap="sm">
      <Title order={3}>Previous buckets</Title>
      <Text fz="sm" c="dimmed">
        {storeText.previous}
      </Text>
      {stores.map((store) => (
        <StoreFacts key={store.id} store={store} />
      ))}
    </Stack>
  )
}
