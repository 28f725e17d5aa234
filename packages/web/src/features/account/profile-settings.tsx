import { Badge, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { sessionQuery, useSession } from '../../api/session.ts'
import { accountText, roleNames } from '../../text/account.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Fact, FactList } from '../../ui/fact-list.tsx'
import { ImageField } from '../../ui/forms/image-field.tsx'
import { ownPhoto } from '../../ui/forms/own-photo.ts'
import { SettingsForm } from '../../ui/forms/settings-form.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { showDone } from '../../ui/toast.tsx'

/** The photo and the name of the person, who they are, and their workspaces. */
export function ProfileSettings() {
  const { user } = useSession()
  return (
    <>
      <SettingsSection title="Profile" description={accountText.profile}>
        <Stack>
          <PhotoField />
          <NameForm />
          <FactList isDense>
            <Fact name="Email address">
              <Copyable value={user.email} label="email address" />{' '}
              {!user.email_verified && (
                <Badge variant="default" tt="none" fw={500} title={accountText.notVerified}>
                  Not verified
                </Badge>
              )}
            </Fact>
            <Fact name="User ID">
              <Copyable value={user.id} label="user ID" mono />
            </Fact>
          </FactList>
        </Stack>
      </SettingsSection>
      <WorkspaceList />
    </>
  )
}

function PhotoField() {
  const { user } = useSession()
  const reload = useSessionReload()
  return (
    <ImageField
      label="Photo"
      isRound
      name={user.name}
      url={ownPhoto(user.profile_photo_url)}
      canEdit
      onSave={async ({ content_type, data }) => {
        await api.replaceUserPhoto({ body: { content_type, data } })
        await reload()
      }}
      onDelete={async () => {
        await api.deleteUserPhoto({})
        await reload()
      }}
    />
  )
}

function NameForm() {
  const { user } = useSession()
  const reload = useSessionReload()
  const form = useForm({ initialValues: { name: user.name } })
  return (
    <SettingsForm
      form={form}
      canEdit
      onSubmit={async (values) => {
        const { data } = await api.updateUser({ body: values })
        form.setValues({ name: data.name })
        await reload()
        showDone(accountText.saved)
      }}
    >
      <TextInput
        label="Name"
        description={accountText.name}
        maxLength={100}
        autoComplete="name"
        {...form.getInputProps('name')}
      />
    </SettingsForm>
  )
}

function useSessionReload() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
}

function WorkspaceList() {
  const { workspace, workspaces } = useSession()
  return (
    <SettingsSection title="Workspaces">
      <ItemList label="Workspaces">
        {workspaces.map(({ id, name, logo_url: url, role }) => (
          <Item
            key={id}
            leading={<ApplicationIcon name={name} url={url} size={28} />}
            title={name}
            detail={roleNames[role]}
            end={id === workspace.id ? 'Current' : undefined}
          />
        ))}
      </ItemList>
    </SettingsSection>
  )
}
