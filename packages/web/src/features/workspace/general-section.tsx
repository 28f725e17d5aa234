import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Workspace } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { sessionQuery, useSession } from '../../api/session.ts'
import { settingsText } from '../../text/settings.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { ImageField } from '../../ui/forms/image-field.tsx'
import { SettingsForm } from '../../ui/forms/settings-form.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { showDone } from '../../ui/toast.tsx'
import { workspaceQuery } from './workspace.queries.ts'

/** The name, logo and subdomain of the workspace. */
export function GeneralSection() {
  const query = useQuery(workspaceQuery)
  return (
    <SettingsSection title="General">
      <Loaded query={query}>{(workspace) => <WorkspaceForm workspace={workspace} />}</Loaded>
    </SettingsSection>
  )
}

function WorkspaceForm({ workspace }: { workspace: Workspace }) {
  const { id, name, subdomain, logo_url: url } = workspace
  const canEdit = useSession().can('workspace:write')
  const queryClient = useQueryClient()
  const stored = { name, subdomain }
  const form = useForm({ initialValues: stored })
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: workspaceQuery.queryKey }),
      queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    ])
  return (
    <SettingsForm
      form={form}
      stored={stored}
      canEdit={canEdit}
      onSubmit={async (values) => {
        // An empty subdomain restores the default, the ID of the workspace.
        const body = { ...values, subdomain: values.subdomain === '' ? null : values.subdomain }
        const { data } = await api.updateWorkspace({ body })
        form.setValues({ name: data.name, subdomain: data.subdomain })
        showDone(settingsText.workspaceSaved)
        await refresh()
      }}
    >
      <ImageField
        label="Logo"
        name={name}
        url={url}
        canEdit={canEdit}
        onSave={async ({ content_type, data }) => {
          await api.replaceWorkspaceLogo({ body: { content_type, data } })
          await refresh()
        }}
        onDelete={async () => {
          await api.deleteWorkspaceLogo({})
          await refresh()
        }}
      />
      <TextInput
        label="Name"
        description={settingsText.workspaceName}
        readOnly={!canEdit}
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Subdomain"
        description={settingsText.subdomain}
        readOnly={!canEdit}
        {...form.getInputProps('subdomain')}
      />
      <Text fz="sm" c="dimmed" component="div">
        Workspace ID <Copyable value={id} label="workspace ID" mono />
      </Text>
      {!canEdit && (
        <Text fz="sm" c="dimmed">
          {settingsText.readOnly}
        </Text>
      )}
    </SettingsForm>
  )
}
