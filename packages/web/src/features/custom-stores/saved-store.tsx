import { Button, Group, Stack, Switch, Text } from '@mantine/core'
import type { CustomStore, CustomStoreReport } from '@quayside/sdk'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { confirmText } from '../../text/confirmations.ts'
import { storeText } from '../../text/custom-stores.ts'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { showDone, showFailure } from '../../ui/toast.tsx'
import { StoreFacts } from './store-facts.tsx'

type Props = {
  applicationId: string
  store: CustomStore
  enabled: boolean
  canEdit: boolean
  onReport: (report: CustomStoreReport | undefined) => void
  onChanged: () => Promise<unknown>
  onEdit: () => void
}

/** The saved bucket, with a switch and a test. */
export function SavedStore({ applicationId, store, enabled, canEdit, onReport, onChanged, onEdit }: Props) {
  const [isRemoving, setIsRemoving] = useState(false)
  const [running, setRunning] = useState<'test' | 'switch'>()
  const path = { application_id: applicationId }
  const run = (task: 'test' | 'switch', work: () => Promise<unknown>) => {
    setRunning(task)
    void work()
      .catch(showFailure)
      .finally(() => setRunning(undefined))
  }
  return (
    <Stack>
      <Switch
        label={enabled ? storeText.enabled : storeText.disabled}
        description={storeText.existing}
        checked={enabled}
        disabled={!canEdit || running === 'switch'}
        onChange={(event) => {
          const body = { custom_store_enabled: event.currentTarget.checked }
          run('switch', async () => {
            await api.updateApplication({ ...path, body })
            await onChanged()
          })
        }}
      />
      <StoreFacts store={store} />
      {canEdit ? (
        <StoreButtons
          isTesting={running === 'test'}
          onTest={() => {
            onReport(undefined)
            run('test', async () => onReport((await api.testCustomStore({ ...path, body: {} })).data))
          }}
          onEdit={onEdit}
          onRemove={() => setIsRemoving(true)}
        />
      ) : (
        <Text fz="sm" c="dimmed">
          {storeText.readOnly}
        </Text>
      )}
      {isRemoving && (
        <ConfirmDialog
          title={confirmText.remove(store.bucket)}
          confirmLabel="Remove bucket"
          isDangerous
          onClose={() => setIsRemoving(false)}
          onConfirm={async () => {
            const { message } = await api.deleteCustomStore(path)
            showDone(message)
            onReport(undefined)
            await onChanged()
          }}
        >
          {storeText.remove}
        </ConfirmDialog>
      )}
    </Stack>
  )
}

type ButtonsProps = { isTesting: boolean; onTest: () => void; onEdit: () => void; onRemove: () => void }

function StoreButtons({ isTesting, onTest, onEdit, onRemove }: ButtonsProps) {
  return (
    <Group gap="xs">
      <Button variant="default" loading={isTesting} onClick={onTest}>
        Test
      </Button>
      <Button variant="default" onClick={onEdit}>
        Edit
      </Button>
      <Button variant="subtle" color="red" onClick={onRemove}>
        Remove
      </Button>
    </Group>
  )
}
