import { Button } from '@mantine/core'
import type { TrustedPublisher } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { serviceUrl } from '../../api/browser.ts'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { confirmText } from '../../text/confirmations.ts'
import { publisherText } from '../../text/trusted-publishers.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconPlus, IconShieldCheck } from '../../ui/icons/icons.ts'
import { ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { showDone } from '../../ui/toast.tsx'
import { CheckTokenDialog } from './check-token-dialog.tsx'
import { PublisherDialog } from './publisher-dialog.tsx'
import { PublisherItem, type PublisherAction } from './publisher-item.tsx'
import { SnippetDialog } from './snippet-dialog.tsx'
import { trustedPublishersQuery } from './trusted-publisher.queries.ts'

type Dialog = { type: 'new' } | { type: PublisherAction; publisher: TrustedPublisher }

/** The CI runs that get short-lived keys of an application without a stored secret. */
export function TrustedPublishersSection({ applicationId }: { applicationId: string }) {
  const query = useQuery(trustedPublishersQuery(applicationId))
  const { can } = useSession()
  const [dialog, setDialog] = useState<Dialog>()
  const create = can('api_keys:create') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setDialog({ type: 'new' })}>
      New trusted publisher
    </Button>
  )
  return (
    <SettingsSection
      title="Trusted publishers"
      description={
        <>
          {publisherText.section}{' '}
          <a href={`${serviceUrl}/docs/trusted-publishing`}>About trusted publishing</a>
        </>
      }
      action={query.data?.length === 0 ? undefined : create}
    >
      <Loaded query={query}>
        {(publishers) =>
          publishers.length === 0 ? (
            <EmptyState
              icon={<IconShieldCheck size={22} />}
              title="No trusted publishers yet"
              action={create}
            >
              {publisherText.none}
            </EmptyState>
          ) : (
            <ItemList label="Trusted publishers">
              {publishers.map((publisher) => (
                <PublisherItem
                  key={publisher.id}
                  publisher={publisher}
                  canEdit={can('api_keys:write')}
                  onOpen={(type) => setDialog({ type, publisher })}
                />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      {dialog !== undefined && (
        <PublisherDialogs
          applicationId={applicationId}
          dialog={dialog}
          onClose={() => setDialog(undefined)}
        />
      )}
    </SettingsSection>
  )
}

type DialogsProps = { applicationId: string; dialog: Dialog; onClose: () => void }

function PublisherDialogs({ applicationId, dialog, onClose }: DialogsProps) {
  const queryClient = useQueryClient()
  if (dialog.type === 'new') return <PublisherDialog applicationId={applicationId} onClose={onClose} />
  const { publisher } = dialog
  if (dialog.type === 'edit')
    return <PublisherDialog applicationId={applicationId} publisher={publisher} onClose={onClose} />
  if (dialog.type === 'snippet') return <SnippetDialog publisher={publisher} onClose={onClose} />
  if (dialog.type === 'check') return <CheckTokenDialog publisher={publisher} onClose={onClose} />
  return (
    <ConfirmDialog
      title={confirmText.delete(publisher.name)}
      confirmLabel="Delete trusted publisher"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        const { message } = await api.deleteTrustedPublisher({
          application_id: applicationId,
          trusted_publisher_id: publisher.id,
        })
        showDone(message)
        await queryClient.invalidateQueries(trustedPublishersQuery(applicationId))
      }}
    >
      {publisherText.delete}
    </ConfirmDialog>
  )
}
