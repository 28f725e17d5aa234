import { MultiSelect, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { CreatedInvitation, CreateInvitationParams } from '@quayside/sdk'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { applicationRoles, memberText, workspaceRoles } from '../../text/members.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { useReturnFocus } from '../../ui/focus/use-return-focus.ts'
import { DoneDialog } from '../../ui/forms/done-dialog.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { IconMail } from '../../ui/icons/icons.ts'
import { Notice } from '../../ui/notice.tsx'
import { applicationsQuery } from '../applications/application.queries.ts'
import { invitationsQuery } from './member.queries.ts'
import { RoleRadios } from './role-radios.tsx'

type Role = (typeof workspaceRoles)[number]['value']
type ApplicationRole = (typeof applicationRoles)[number]['value']
type Values = { email: string; role: Role; applications: string[]; application_role: ApplicationRole }
type Props = { applicationId?: string; onClose: () => void }

/** Invites a person to the workspace and its applications, then shows the link if no email can be sent. */
export function InviteDialog({ applicationId, onClose }: Props) {
  useReturnFocus()
  const [created, setCreated] = useState<CreatedInvitation>()
  const { role: ownRole } = useSession()
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initialValues: {
      email: '',
      role: 'member',
      applications: preselected(applicationId, applications),
      application_role: 'developer',
    },
  })
  if (created !== undefined) return <InvitationLink invitation={created} onClose={onClose} />
  const { role, applications: selected } = form.values
  return (
    <FormDialog
      title="Invite a person"
      submitLabel="Invite"
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        setCreated((await api.createInvitation({ body: invitationBody(values) })).data)
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
      <RoleRadios<Role>
        label="Role in the workspace"
        roles={workspaceRoles.toReversed().filter(({ value }) => value !== 'owner' || ownRole === 'owner')}
        value={role}
        onChange={(value) => form.setFieldValue('role', value)}
        error={form.errors['role']}
      />
      {role === 'member' && applications.length > 0 && (
        <ApplicationsField form={form} applications={applications} />
      )}
      {role === 'member' && selected.length > 0 && (
        <RoleRadios<ApplicationRole>
          label={selected.length === 1 ? 'Role in the application' : 'Role in these applications'}
          roles={applicationRoles}
          value={form.values.application_role}
          onChange={(value) => form.setFieldValue('application_role', value)}
        />
      )}
    </FormDialog>
  )
}

type FieldProps = { form: UseFormReturnType<Values>; applications: readonly { id: string; name: string }[] }

function ApplicationsField({ form, applications }: FieldProps) {
  const { applications: selected } = form.values
  return (
    <MultiSelect
      label="Applications"
      description={selected.length === 0 ? memberText.noApplications : undefined}
      placeholder={selected.length === 0 ? 'Choose applications' : undefined}
      data={applications.map(({ id, name }) => ({ value: id, label: name }))}
      searchable={applications.length > 8}
      clearable
      {...form.getInputProps('applications')}
    />
  )
}

/** Returns the application from whose settings the person is invited, or the only one of the workspace. */
function preselected(applicationId: string | undefined, applications: readonly { id: string }[]): string[] {
  if (applicationId !== undefined) return [applicationId]
  return applications.length === 1 ? applications.map(({ id }) => id) : []
}

/** An invitation to one application also reaches a member of the workspace, and names the application first. */
function invitationBody({
  email,
  role,
  applications,
  application_role: applicationRole,
}: Values): CreateInvitationParams['body'] {
  const [first, ...others] = role === 'member' ? applications : []
  if (first === undefined) return { email, role }
  if (others.length === 0) return { email, role: applicationRole, application_id: first }
  return {
    email,
    role,
    applications: applications.map((id) => ({ application_id: id, role: applicationRole })),
  }
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
    <DoneDialog title={`Invitation to ${email}`} onClose={onClose}>
      <Notice kind={url === null ? 'good' : 'warn'} icon={<IconMail size={18} />}>
        {url === null ? memberText.sent : memberText.linkOnly}
      </Notice>
      {url !== null && <CommandLine code={url} label="invitation link" />}
    </DoneDialog>
  )
}
