import { Select, Stack, Text } from '@mantine/core'
import type { Stream } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { applicationKey } from '../../../api/query-keys.ts'
import { streamText } from '../../../text/builds/stream.ts'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { showDone } from '../../../ui/toast.tsx'
import { retentionKey, streamsQuery } from '../stream.queries.ts'

type Props = {
  applicationId: string
  stream: Stream
  others: readonly Stream[]
  buildCount: number
  /** Called with true before the stream is deleted, and with false if that fails. */
  onDeleting: (isDeleting: boolean) => void
  onClose: () => void
}

/** Asks to which stream the builds move before a stream is deleted. */
export function DeleteStreamDialog({
  applicationId,
  stream,
  others,
  buildCount,
  onDeleting,
  onClose,
}: Props) {
  const [target, setTarget] = useState<string | null>(others[0]?.id ?? null)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = () =>
    api.deleteStream({
      application_id: applicationId,
      stream_identifier: stream.id,
      ...(target === null ? {} : { move_to: target }),
    })
  return (
    <ConfirmDialog
      title={`Delete the stream ${stream.name}`}
      confirmLabel="Delete stream"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        // The events about the moved builds and the deletion would otherwise reload the preview of a deleted stream.
        onDeleting(true)
        await queryClient.cancelQueries({ queryKey: retentionKey(applicationId, stream.id) })
        const { message } = await remove().catch((error: unknown) => {
          onDeleting(false)
          throw error
        })
        const { queryKey } = streamsQuery(applicationId)
        await queryClient.cancelQueries({ queryKey })
        const left = navigate({ to: '/applications/$applicationId/streams', params: { applicationId } })
        queryClient.setQueryData(queryKey, (streams) => streams?.filter(({ id }) => id !== stream.id))
        await left
        await queryClient.invalidateQueries({ queryKey: applicationKey(applicationId) })
        showDone(message)
      }}
    >
      <Stack gap="sm">
        {buildCount > 0 && <Text fz="sm">{streamText.remove.move(buildCount)}</Text>}
        <Select
          label="Move builds and unfinished uploads to"
          data={others.map(({ id, name }) => ({ value: id, label: name }))}
          value={target}
          onChange={setTarget}
          allowDeselect={buildCount === 0}
          data-autofocus
        />
        <Text fz="sm" c="dimmed">
          {streamText.remove.consequences}
        </Text>
      </Stack>
    </ConfirmDialog>
  )
}
