import { MultiSelect, TagsInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { CreatedInvitation, CreateInvitationParams } from '@quayside/sdk'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { applicationRoles, memberText, workspaceRoles } from '../../text/members/members.ts'
import { teamText } from '../../text/members/teams.ts'
import { useReturnFocus } from '../../ui/focus/use-return-focus.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { applicationsQuery } from '../applications/application.queries.ts'
import { InvitationLinks } from './invitation-links.tsx'
import { emailsIn, emailSeparators, invitationError, inviteEach } from './invite-each.ts'
import { invitationsQuery } from './member.queries.ts'
import { RoleRadios } from './role-radios.tsx'
import { teamsQuery } from './teams/team.queries.ts'

type Role = (typeof workspaceRoles)[number]['value']
type ApplicationRole = (typeof applicationRoles)[number]['value']
type Values = {
  emails: string[]
  /** The text in the field that is not an entry yet. */
  typed: string
  role: Role
  applications: string[]
  application_role: ApplicationRole
  teams: string[]
}
type Props = { applicationId?: string; onClose: () => void }

const maxPeople = 50
const maxTeams = 20

/** Invites people to the workspace and its applications, then shows the links if no email can be sent. */
export function InviteDialog({ applicationId, onClose }: Props) {
  useReturnFocus()
  const [created, setCreated] = useState<readonly CreatedInvitation[]>([])
  const [isDone, setIsDone] = useState(false)
  const { role: ownRole } = useSession()
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const { data: teams = [] } = useQuery(teamsQuery)
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initialValues: {
      emails: [],
      typed: '',
      role: 'member',
      applications: preselected(applicationId, applications),
      application_role: 'developer',
      teams: [],
    },
    validate: { emails: (_, values) => (enteredEmails(values).length === 0 ? memberText.enterEmail : null) },
  })
  if (isDone) return <InvitationLinks invitations={created} onClose={onClose} />
  const { role, applications: selected } = form.values
  return (
    <FormDialog
      title={memberText.invite}
      submitLabel="Invite"
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        const results = await inviteEach(enteredEmails(values), (email) => invitationBody(values, email))
        setCreated((earlier) => [...earlier, ...results.created])
        if (results.created.length > 0)
          await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
        if (results.failed.length === 0) return setIsDone(true)
        form.setValues({ emails: results.failed.map(({ email }) => email), typed: '' })
        throw invitationError(results.failed)
      }}
    >
      {created.length > 0 && <Notice kind="good">{memberText.someInvited(created.length)}</Notice>}
      <EmailsField form={form} />
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
      {role === 'member' && teams.length > 0 && (
        <MultiSelect
          label={teamText.joinLabel}
          description={teamText.joinHint}
          placeholder={form.values.teams.length === 0 ? 'Choose teams' : undefined}
          data={teams.map(({ id, name }) => ({ value: id, label: name }))}
          maxValues={maxTeams}
          searchable={teams.length > 8}
          clearable
          {...form.getInputProps('teams')}
        />
      )}
    </FormDialog>
  )
}

function EmailsField({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <TagsInput
      label="Email addresses"
      description={memberText.severalEmails}
      autoComplete="off"
      data-autofocus
      maxTags={maxPeople}
      splitChars={emailSeparators}
      // Another entry can move the button that the person is pressing.
      acceptValueOnBlur={false}
      // There are no suggestions, and Escape would close their list instead of the dialog.
      dropdownOpened={false}
      searchValue={form.values.typed}
      onSearchChange={(text) => form.setFieldValue('typed', text)}
      {...form.getInputProps('emails')}
      onChange={(texts) => form.setFieldValue('emails', emailsIn(texts))}
    />
  )
}

const enteredEmails = ({ emails, typed }: Values): string[] => emailsIn([...emails, typed])

type FieldProps = { form: UseFormReturnType<Values>; applications: readonly { id: string; name: string }[] }

function ApplicationsField({ form, applications }: FieldProps) {
  const { applications: selected, teams } = form.values
  return (
    <MultiSelect
      label="Applications"
      description={selected.length + teams.length === 0 ? memberText.noApplications : undefined}
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
function invitationBody(
  { role, applications, application_role: applicationRole, teams }: Values,
  email: string,
): CreateInvitationParams['body'] {
  if (role !== 'member') return { email, role }
  const [first, ...others] = applications
  if (first !== undefined && others.length === 0 && teams.length === 0)
    return { email, role: applicationRole, application_id: first }
  return {
    email,
    role,
    applications: applications.map((id) => ({ application_id: id, role: applicationRole })),
    teams,
  }
}
