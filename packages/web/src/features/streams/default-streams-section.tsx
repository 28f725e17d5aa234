import { Button, Menu, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Stream } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { settingsText } from '../../text/settings.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { plural } from '../../ui/format/bytes.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconGitBranch, IconPencil, IconTrash } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { showFailure, showUndo } from '../../ui/toast.tsx'
import { defaultStreamsQuery } from './default-stream.queries.ts'

type Dialog = { type: 'new' } | { type: 'edit'; stream: Stream }

/** The streams that every new application gets. */
export function DefaultStreamsSection() {
  const query = useQuery(defaultStreamsQuery)
  const canEdit = useSession().can('workspace:write')
  const remove = useRemoval()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  return (
    <SettingsSection
      title="Default streams"
      description={settingsText.defaultStreams}
      action={canEdit && <Button onClick={() => setDialog({ type: 'new' })}>New default stream</Button>}
    >
      <Loaded query={query}>
        {(streams) =>
          streams.length === 0 ? (
            <EmptyState icon={<IconGitBranch size={22} />} title="No default streams">
              {settingsText.noDefaultStreams}
            </EmptyState>
          ) : (
            <ItemList label="Default streams">
              {streams.map((stream) => (
                <StreamItem
                  key={stream.id}
                  stream={stream}
                  onEdit={canEdit ? () => setDialog({ type: 'edit', stream }) : undefined}
                  onRemove={() => void remove(stream).catch(showFailure)}
                />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      {(dialog?.type === 'new' || dialog?.type === 'edit') && (
        <StreamDialog stream={dialog.type === 'edit' ? dialog.stream : undefined} onClose={close} />
      )}
    </SettingsSection>
  )
}

/** Returns a function that deletes a default stream and offers to create it again, because no application depends on it. */
function useRemoval() {
  const queryClient = useQueryClient()
  const reload = () => queryClient.invalidateQueries(defaultStreamsQuery)
  return async ({ id, name, description, retention_days }: Stream): Promise<void> => {
    const { message } = await api.deleteDefaultStream({ default_stream_id: id })
    showUndo(message, () =>
      api.createDefaultStream({ body: { name, description, retention_days } }).finally(reload),
    )
    await reload()
  }
}

type ItemProps = { stream: Stream; onEdit: (() => void) | undefined; onRemove: () => void }

function StreamItem({ stream, onEdit, onRemove }: ItemProps) {
  const { name, description, retention_days: days } = stream
  return (
    <Item
      leading={<IconGitBranch size={18} />}
      title={name}
      detail={description}
      end={days === null ? 'Builds are kept' : `Builds are kept for ${plural(days, 'day')}`}
      menu={
        onEdit !== undefined && (
          <RowMenu label={`Actions for ${name}`}>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
              Edit
            </Menu.Item>
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={onRemove}>
              Delete
            </Menu.Item>
          </RowMenu>
        )
      }
    />
  )
}

function StreamDialog({ stream, onClose }: { stream: Stream | undefined; onClose: () => void }) {
  const queryClient = useQueryClient()
  const form = useForm<{ name: string; description: string; retention_days: number | string }>({
    initialValues: {
      name: stream?.name ?? '',
      description: stream?.description ?? '',
      retention_days: stream?.retention_days ?? '',
    },
  })
  return (
    <FormDialog
      title={stream === undefined ? 'New default stream' : `Default stream ${stream.name}`}
      submitLabel={stream === undefined ? 'Create default stream' : 'Save'}
      form={form}
      onClose={onClose}
      onSubmit={async ({ name, description, retention_days: days }) => {
        const body = {
          name,
          description: description === '' ? null : description,
          retention_days: days === '' ? null : Number(days),
        }
        await (stream === undefined
          ? api.createDefaultStream({ body })
          : api.updateDefaultStream({ default_stream_id: stream.id, body }))
        await queryClient.invalidateQueries(defaultStreamsQuery)
        onClose()
      }}
    >
      <TextInput label="Name" {...form.getInputProps('name')} data-autofocus autoComplete="off" />
      <NumberInput
        label="Retention"
        description={settingsText.retention}
        allowDecimal={false}
        allowNegative={false}
        suffix=" days"
        {...form.getInputProps('retention_days')}
      />
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
    </FormDialog>
  )
}
