import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { CreatedInvitation, CreateInvitationParams } from '@quayside/sdk'
import { IconMail } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { applicationRoles, memberText, workspaceRoles } from '../../text/members.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Note } from '../../ui/note.tsx'
import { applicationsQuery } from '../applications/application.queries.ts'
import { invitationsQuery } from './member.queries.ts'
import { RoleRadios } from './role-radios.tsx'

type Role = CreateInvitationParams['body']['role']
type Props = { applicationId?: string; onClose: () => void }

/** Invites a person to the workspace or to one application, then shows the link if no email can be sent. */
export function InviteDialog({ applicationId, onClose }: Props) {
  const [created, setCreated] = useState<CreatedInvitation>()
  const { role: ownRole } = useSession()
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const queryClient = useQueryClient()
  const form = useForm<{ email: string; role: Role; application_id: string }>({
    initialValues: {
      email: '',
      role: applicationId === undefined ? 'member' : 'developer',
      application_id: applicationId ?? '',
    },
  })
  if (created !== undefined) return <InvitationLink invitation={created} onClose={onClose} />
  const isToWorkspace = form.values.application_id === ''
  const roles = isToWorkspace
    ? workspaceRoles.filter(({ value }) => value !== 'owner' || ownRole === 'owner')
    : applicationRoles
  return (
    <FormDialog
      title="Invite a person"
      submitLabel="Invite"
      form={form}
      onClose={onClose}
      onSubmit={async ({ application_id, ...values }) => {
        const body = { ...values, application_id: application_id === '' ? null : application_id }
        setCreated((await api.createInvitation({ body })).data)
        await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
      }}
    >
      <TextInput
        label="Email"
        type="email"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <NativeSelect
        label="Access to"
        {...form.getInputProps('application_id')}
        onChange={({ currentTarget: { value } }) =>
          form.setValues({ application_id: value, role: value === '' ? 'member' : 'developer' })
        }
        data={[
          { value: '', label: 'The workspace' },
          {
            group: 'One application',
            items: applications.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]}
      />
      <RoleRadios<Role>
        roles={roles}
        value={form.values.role}
        onChange={(role) => form.setFieldValue('role', role)}
        error={form.errors['role']}
      />
    </FormDialog>
  )
}

/** Shows that an invitation was sent, or its link if the server cannot send email. */
export function InvitationLink({
  invitation: { email, url },
  onClose,
}: {
  invitation: CreatedInvitation
  onClose: () => void
}) {
  return (
    <Modal opened onClose={onClose} title={`Invitation to ${email}`}>
      <Stack>
        <Note tone={url === null ? 'good' : 'warn'} icon={<IconMail size={18} />}>
          {url === null ? memberText.sent : memberText.linkOnly}
        </Note>
        {url !== null && <CommandLine code={url} label="invitation link" />}
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
