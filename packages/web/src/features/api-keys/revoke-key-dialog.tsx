import { Checkbox, Text } from '@mantine/core'
import type { ApiKey } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { applicationsKey } from '../../api/query-keys.ts'
import { apiKeyText } from '../../text/api-keys.ts'
import { confirmText } from '../../text/confirmations.ts'
import { plural } from '../../ui/format/bytes.ts'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { showDone } from '../../ui/toast.tsx'
import { apiKeysQuery } from './api-key.queries.ts'

type Props = { apiKey: ApiKey; descendants: readonly ApiKey[]; onClose: () => void }

/** Revokes a key, and on request everything that it created. */
export function RevokeKeyDialog({ apiKey, descendants, onClose }: Props) {
  const [isWithDescendants, setIsWithDescendants] = useState(descendants.length > 0)
  const queryClient = useQueryClient()
  const { id, name, application_id: applicationId } = apiKey
  async function revoke(): Promise<void> {
    const params = { api_key_id: id, descendants: isWithDescendants }
    const { message } =
      applicationId === null
        ? await api.deleteWorkspaceApiKey(params)
        : await api.deleteApplicationApiKey({ application_id: applicationId, ...params })
    showDone(message)
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: apiKeysQuery(applicationId ?? undefined).queryKey }),
      queryClient.invalidateQueries({ queryKey: applicationsKey, refetchType: 'none' }),
    ])
  }
  return (
    <ConfirmDialog
      title={confirmText.revoke(name)}
      confirmLabel="Revoke key"
      isDangerous
      onConfirm={revoke}
      onClose={onClose}
    >
      <Text>{apiKeyText.revoke}</Text>
      <Checkbox
        mt="md"
        label={apiKeyText.revokeDescendants}
        checked={isWithDescendants}
        onChange={(event) => setIsWithDescendants(event.currentTarget.checked)}
      />
      {descendants.length > 0 && (
        <Text fz="sm" c="dimmed" mt={4} ml={28}>
          {plural(descendants.length, 'valid key')}: {descendants.map((each) => each.name).join(', ')}
        </Text>
      )}
    </ConfirmDialog>
  )
}
