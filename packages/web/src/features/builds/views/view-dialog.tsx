import { Checkbox, Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { View } from '@quayside/sdk'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { viewText } from '../../../text/builds/views.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { showDone } from '../../../ui/toast.tsx'
import { usePins } from '../../pins/pin.queries.ts'
import { useViewsChanged } from './view.queries.ts'

type Props = {
  applicationId: string
  /** What a new view saves, or the view whose name and visibility change. */
  target: { query: View['query'] } | { view: View }
  onClose: () => void
}

type Values = Pick<View, 'name' | 'visibility'> & { is_pinned: boolean }

/** Saves the list as a new view, or changes the name of a view and who sees it. */
export function ViewDialog({ applicationId, target, onClose }: Props) {
  const view = 'view' in target ? target.view : undefined
  const form = useForm<Values>({
    initialValues: { name: view?.name ?? '', visibility: view?.visibility ?? 'personal', is_pinned: true },
  })
  const save = useSave({ applicationId, target, onClose })
  const isForTeam = useSession().can('builds:write', applicationId)
  return (
    <FormDialog
      title={view === undefined ? viewText.saveNew : `Edit ${view.name}`}
      submitLabel={view === undefined ? viewText.saveFirst : viewText.save}
      form={form}
      onSubmit={save}
      onClose={onClose}
      isDisabled={form.values.name.trim() === ''}
    >
      <TextInput
        label="Name"
        placeholder="Nightly iOS builds"
        maxLength={80}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      {isForTeam && (
        <Radio.Group label="Visible to" {...form.getInputProps('visibility')}>
          <Stack gap={6} mt={6}>
            <Radio value="personal" label={viewText.visibility.personal} />
            <Radio value="team" label={viewText.visibility.team} />
          </Stack>
        </Radio.Group>
      )}
      {view === undefined && (
        <Checkbox label={viewText.pin} {...form.getInputProps('is_pinned', { type: 'checkbox' })} />
      )}
    </FormDialog>
  )
}

/** Returns a function that saves the view and, if it is new, opens it. */
function useSave({ applicationId, target, onClose }: Props) {
  const navigate = useNavigate()
  const changed = useViewsChanged(applicationId)
  const { views, change } = usePins()
  return async ({ is_pinned: isPinned, ...fields }: Values): Promise<void> => {
    const path = { application_id: applicationId }
    const { data } =
      'view' in target
        ? await api.updateView({ ...path, view_id: target.view.id, body: fields })
        : await api.createView({ ...path, body: { ...fields, query: target.query } })
    if ('query' in target && isPinned) await change({ views: [...views, data] })
    await changed(data)
    onClose()
    if ('query' in target)
      await navigate({
        to: '/applications/$applicationId/views/$viewId',
        params: { applicationId, viewId: data.id },
      })
    showDone(viewText.saved)
  }
}
