import { Textarea, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { Team } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { fieldText } from '../../../text/fields.ts'
import { teamText } from '../../../text/members/teams.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { signInMethodsQuery } from '../../session/sign-in.queries.ts'
import { teamChanged } from './team.queries.ts'

/** Creates a team, or changes one if it is passed. */
export function TeamDialog({ team, onClose }: { team?: Team; onClose: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: methods } = useQuery(signInMethodsQuery)
  const form = useForm({
    initialValues: {
      name: team?.name ?? '',
      description: team?.description ?? '',
      group: team?.sso_group ?? '',
    },
    validate: { name: isNotEmpty(fieldText.enterName) },
  })
  const hasGroups = (methods?.sso ?? null) !== null || (team?.sso_group ?? null) !== null
  async function save({ name, description, group }: typeof form.values): Promise<void> {
    const body = {
      name: name.trim(),
      description: description.trim() === '' ? null : description.trim(),
      ...(hasGroups ? { sso_group: group.trim() === '' ? null : group.trim() } : {}),
    }
    const { data } = await (team === undefined
      ? api.createTeam({ body })
      : api.updateTeam({ team_id: team.id, body }))
    onClose()
    await teamChanged(queryClient, data)
    if (team === undefined) await navigate({ to: '/teams/$teamId', params: { teamId: data.id } })
  }
  return (
    <FormDialog
      title={team === undefined ? 'New team' : 'Edit team'}
      submitLabel={team === undefined ? 'Create team' : 'Save'}
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput label="Name" required maxLength={100} data-autofocus {...form.getInputProps('name')} />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxLength={1000}
        {...form.getInputProps('description')}
      />
      {hasGroups && (
        <TextInput
          label="Single sign-on group"
          description={teamText.ssoGroupHint(methods?.sso?.name)}
          placeholder="games-qa"
          maxLength={255}
          autoComplete="off"
          {...form.getInputProps('group')}
        />
      )}
    </FormDialog>
  )
}
