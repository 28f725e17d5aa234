import { Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationListKey, workspaceKey } from '../../api/query-keys.ts'
import { useSession } from '../../api/session.ts'
import { applicationText } from '../../text/applications.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { ImageField } from '../../ui/forms/image-field.tsx'
import { SettingsForm } from '../../ui/forms/settings-form.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { showDone } from '../../ui/toast.tsx'
import { applicationQuery } from './application.queries.ts'

/** The name, icon and description of an application. */
export function ApplicationGeneralSection({ applicationId }: { applicationId: string }) {
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const { name, description, icon_url: url } = application
  const canEdit = useSession().can('application:write', applicationId)
  const stored = { name, description: description ?? '' }
  const form = useForm({ initialValues: stored })
  const path = { application_id: applicationId }
  const refresh = useApplicationRefresh(applicationId)
  return (
    <SettingsSection title="General">
      <SettingsForm
        form={form}
        stored={stored}
        canEdit={canEdit}
        onSubmit={async (values) => {
          const body = { ...values, description: values.description === '' ? null : values.description }
          await api.updateApplication({ ...path, body })
          showDone(applicationText.saved)
          await refresh()
        }}
      >
        <ImageField
          label="Icon"
          name={name}
          url={url}
          canEdit={canEdit}
          onSave={async ({ content_type, data }) => {
            await api.replaceApplicationIcon({ ...path, body: { content_type, data } })
            await refresh()
          }}
          onDelete={async () => {
            await api.deleteApplicationIcon(path)
            await refresh()
          }}
        />
        <TextInput label="Name" readOnly={!canEdit} {...form.getInputProps('name')} />
        <Textarea
          label="Description"
          description={applicationText.description}
          readOnly={!canEdit}
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('description')}
        />
        <Text fz="sm" c="dimmed" component="div">
          Application ID <Copyable value={applicationId} label="application ID" mono />
        </Text>
        {!canEdit && (
          <Text fz="sm" c="dimmed">
            {applicationText.readOnly}
          </Text>
        )}
      </SettingsForm>
    </SettingsSection>
  )
}

/** Returns a function that loads everything again that shows the name or the icon of an application. */
function useApplicationRefresh(applicationId: string) {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: applicationListKey }),
      queryClient.invalidateQueries(applicationQuery(applicationId)),
      queryClient.invalidateQueries({ queryKey: workspaceKey('statistics') }),
    ])
}
