import { Checkbox, Select, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { FullRelease } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { releaseText } from '../../../text/releases/release.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { showDone } from '../../../ui/toast.tsx'
import { groupsQuery, reloadGroups } from '../../distribution-groups/group.queries.ts'
import { audienceQuery } from '../release.queries.ts'

type Props = {
  release: FullRelease
  /** IDs of the groups that already have the release. */
  existing: readonly string[]
  onClose: () => void
}

const { audience: text } = releaseText

/** Adds a release to a group, and says who is notified when. */
export function AddGroupDialog({ release, existing, onClose }: Props) {
  const { data: groups, error: loadError } = useQuery(groupsQuery)
  const form = useForm({ initialValues: { group: null as string | null, notify: true } })
  const queryClient = useQueryClient()
  const options = groups?.filter(({ id }) => !existing.includes(id))
  const group = options?.find(({ id }) => id === form.values.group)
  const isNotifying = form.values.notify && group?.is_active !== false

  async function add(): Promise<void> {
    if (group === undefined) return
    const { message } = await api.addDistributionGroupRelease({
      distribution_group_id: group.id,
      body: { release_id: release.id, notify: isNotifying },
    })
    const { queryKey } = audienceQuery(release.application_id, release.id)
    await Promise.all([queryClient.invalidateQueries({ queryKey }), reloadGroups(queryClient)])
    showDone(message)
    onClose()
  }
  return (
    <FormDialog
      title="Add to a group"
      submitLabel={isNotifying && release.status === 'published' ? 'Add and notify' : 'Add'}
      form={form}
      onSubmit={add}
      onClose={onClose}
      isDisabled={group === undefined}
    >
      {options?.length === 0 ? (
        <Text fz="sm">
          {groups?.length === 0 ? releaseText.audience.noGroupsYet : releaseText.audience.inEveryGroup}{' '}
          <Link to="/groups">Open groups</Link>
        </Text>
      ) : (
        <>
          <Select
            label="Group"
            placeholder="Choose a group"
            searchable
            data={options?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            data-autofocus
            {...form.getInputProps('group')}
          />
          <Checkbox
            label="Notify the members by email"
            disabled={group?.is_active === false}
            {...form.getInputProps('notify')}
            checked={isNotifying}
          />
          <Text fz="sm" c="dimmed" mih="1.5em" aria-live="polite">
            {group === undefined ? '' : sentenceOf(group, isNotifying, release.status === 'published')}
          </Text>
        </>
      )}
      {loadError !== null && <FailureBanner error={loadError} />}
    </FormDialog>
  )
}

function sentenceOf(
  { is_active: isActive, tester_count: members }: { is_active: boolean; tester_count: number },
  isNotifying: boolean,
  isPublished: boolean,
): string {
  if (!isActive) return `${text.inactive}.`
  if (!isNotifying) return text.quiet
  return isPublished ? text.addNow(members) : text.addLater(members)
}
