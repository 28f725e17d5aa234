import { NumberInput, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Stream } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { streamText } from '../../text/builds/stream.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { showDone } from '../../ui/toast.tsx'
import { streamsQuery } from './stream.queries.ts'

type Props = {
  applicationId: string
  /** Undefined for a new stream. */
  stream?: Stream
  onClose: () => void
}

type Values = { name: string; description: string; retention_days: number | '' }

/** Creates a stream, or changes the name and description of one. Its retention is changed with the preview. */
export function StreamFormDialog({ applicationId, stream, onClose }: Props) {
  const stored: Values = {
    name: stream?.name ?? '',
    description: stream?.description ?? '',
    retention_days: '',
  }
  const form = useForm<Values>({ initialValues: stored })
  const save = useSave({ applicationId, stream, onClose })
  return (
    <FormDialog
      title={stream === undefined ? 'New stream' : `Edit ${stream.name}`}
      submitLabel={stream === undefined ? 'Create stream' : 'Save'}
      form={form}
      stored={stored}
      onSubmit={save}
      onClose={onClose}
      isDisabled={form.values.name.trim() === ''}
    >
      <TextInput
        label="Name"
        placeholder="beta"
        maxLength={100}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Description"
        maxLength={1_000}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('description')}
      />
      {stream === undefined && (
        <NumberInput
          label="Keep builds for"
          description={streamText.retentionHelp}
          suffix=" days"
          placeholder="Forever"
          min={1}
          max={36_500}
          allowDecimal={false}
          {...form.getInputProps('retention_days')}
        />
      )}
    </FormDialog>
  )
}

/** Returns a function that creates or changes the stream and closes the dialog. */
function useSave({ applicationId, stream, onClose }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  async function save({ name, description, retention_days: days }: Values): Promise<void> {
    const path = { application_id: applicationId }
    const fields = { name, description: description.trim() === '' ? null : description }
    if (stream === undefined)
      await api.createStream({ ...path, body: { ...fields, retention_days: days === '' ? null : days } })
    else await api.updateStream({ ...path, stream_identifier: stream.id, body: fields })
    await queryClient.invalidateQueries({ queryKey: streamsQuery(applicationId).queryKey })
    // The URL has the name of the stream.
    if (stream !== undefined)
      await navigate({
        to: '/applications/$applicationId/streams',
        params: { applicationId },
        search: { stream: name.trim() },
        replace: true,
      })
    showDone(stream === undefined ? streamText.created : streamText.updated)
    onClose()
  }
  return save
}
