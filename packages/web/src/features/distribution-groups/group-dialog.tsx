import { Radio, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { DistributionGroup } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { groupText } from '../../text/distribution/distribution-groups.ts'
import { feedbackText } from '../../text/distribution/feedback.ts'
import { fieldText } from '../../text/fields.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { GroupIconField, type GroupValues } from './group-icon-field.tsx'
import { emojiOf } from './group-icon.tsx'
import { groupChanged } from './group.queries.ts'

const emptyGroup: GroupValues = {
  name: '',
  description: '',
  type: 'external',
  digest: 'none',
  icon_type: 'none',
  icon_emoji_code: '',
  icon_set_value: '',
  feedback_enabled: false,
}

const valuesOf = (group: DistributionGroup): GroupValues => ({
  name: group.name,
  description: group.description ?? '',
  type: group.type,
  digest: group.digest,
  icon_type: group.icon_type,
  icon_emoji_code: group.icon_emoji_code === null ? '' : emojiOf(group.icon_emoji_code),
  icon_set_value: group.icon_set_value ?? '',
  feedback_enabled: group.feedback_enabled,
})

const bodyOf = ({ name, description, type, digest, feedback_enabled, ...icon }: GroupValues) => ({
  name: name.trim(),
  description: description.trim() === '' ? null : description.trim(),
  type,
  digest,
  feedback_enabled,
  icon_type: icon.icon_type,
  icon_emoji_code: icon.icon_type === 'emoji' ? icon.icon_emoji_code.trim() : null,
  icon_set_value: icon.icon_type === 'fa' ? icon.icon_set_value : null,
})

/** Creates a group, or changes one if it is passed. */
export function GroupDialog({ group, onClose }: { group?: DistributionGroup; onClose: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useForm<GroupValues>({
    initialValues: group === undefined ? emptyGroup : valuesOf(group),
    validate: {
      name: isNotEmpty(fieldText.enterName),
      icon_emoji_code: (value, { icon_type: type }) =>
        type === 'emoji' && value.trim() === '' ? groupText.chooseEmoji : null,
      icon_set_value: (value, { icon_type: type }) =>
        type === 'fa' && value === '' ? groupText.chooseIcon : null,
    },
  })
  async function save(values: GroupValues): Promise<void> {
    const body = bodyOf(values)
    const { data } = await (group === undefined
      ? api.createDistributionGroup({ body })
      : api.updateDistributionGroup({ distribution_group_id: group.id, body }))
    onClose()
    await groupChanged(queryClient, data)
    if (group === undefined) await navigate({ to: '/groups/$groupId', params: { groupId: data.id } })
  }
  return (
    <FormDialog
      title={group === undefined ? 'New group' : 'Edit group'}
      submitLabel={group === undefined ? 'Create group' : 'Save'}
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
      <GroupIconField form={form} />
      <Radio.Group label="Who can be a member" {...form.getInputProps('type')}>
        <Stack gap={8} mt={6}>
          <Radio value="external" label="External" description={groupText.types.external} />
          <Radio value="internal" label="Internal" description={groupText.types.internal} />
        </Stack>
      </Radio.Group>
      <Select
        label="Emails"
        description={groupText.digest}
        allowDeselect={false}
        data={Object.entries(groupText.digests).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('digest')}
      />
      <Switch
        label={feedbackText.setting}
        description={feedbackText.settingHelp}
        {...form.getInputProps('feedback_enabled', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}
