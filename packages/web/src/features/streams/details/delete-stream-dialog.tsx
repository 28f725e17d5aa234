import { Select, Stack, Text } from '@mantine/core'
import type { Stream } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { streamText } from '../../../text/stream.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { showDone } from '../../../ui/toast.tsx'

type Props = {
  applicationId: string
  stream: Stream
  others: readonly Stream[]
  buildCount: number
  onClose: () => void
}

/** Asks to which stream the builds move before a stream is deleted. */
export function DeleteStreamDialog({ applicationId, stream, others, buildCount, onClose }: Props) {
  const [target, setTarget] = useState<string | null>(others[0]?.id ?? null)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      title={`Delete the stream ${stream.name}`}
      confirmLabel="Delete stream"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        const { message } = await api.deleteStream({
          application_id: applicationId,
          stream_identifier: stream.id,
          ...(target === null ? {} : { move_to: target }),
        })
        await navigate({ to: '/applications/$applicationId/streams', params: { applicationId } })
        await queryClient.invalidateQueries({ queryKey: ['applications', applicationId] })
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
