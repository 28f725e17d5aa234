import { Button, Checkbox, Group, Modal, Select, Stack, Text } from '@mantine/core'
import type { FullRelease } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { releaseText } from '../../../text/release.ts'
import { FailureBanner } from '../../../ui/failure-banner.tsx'
import { showDone } from '../../../ui/toast.tsx'
import { groupsQuery, reloadGroups } from '../../groups/group.queries.ts'
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
  const [groupId, setGroupId] = useState<string | null>(null)
  const [notify, setNotify] = useState(true)
  const [error, setError] = useState<unknown>()
  const [isRunning, setIsRunning] = useState(false)
  const queryClient = useQueryClient()
  const options = groups?.filter(({ id }) => !existing.includes(id))
  const group = options?.find(({ id }) => id === groupId)
  const isNotifying = notify && group?.is_active !== false

  async function add(): Promise<void> {
    if (group === undefined) return
    setIsRunning(true)
    try {
      const { message } = await api.addDistributionGroupRelease({
        distribution_group_id: group.id,
        body: { release_id: release.id, notify: isNotifying },
      })
      const { queryKey } = audienceQuery(release.application_id, release.id)
      await Promise.all([queryClient.invalidateQueries({ queryKey }), reloadGroups(queryClient)])
      showDone(message)
      onClose()
    } catch (failure) {
      setError(failure)
    } finally {
      setIsRunning(false)
    }
  }

  const failure = error ?? loadError ?? undefined
  return (
    <Modal opened onClose={onClose} title="Add to a group">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <Stack>
          {options?.length === 0 ? (
            <Text fz="sm">
              {groups?.length === 0 ? 'There are no groups yet.' : 'Every group already has this release.'}{' '}
              <Link to="/groups">Open groups</Link>
            </Text>
          ) : (
            <>
              <Select
                label="Group"
                placeholder="Choose a group"
                searchable
                data={options?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
                value={groupId}
                onChange={setGroupId}
                data-autofocus
              />
              <Checkbox
                label="Notify the members by email"
                checked={isNotifying}
                disabled={group?.is_active === false}
                onChange={(event) => setNotify(event.currentTarget.checked)}
              />
              <Text fz="sm" c="dimmed" mih="1.5em" aria-live="polite">
                {group === undefined ? '' : sentenceOf(group, isNotifying, release.status === 'published')}
              </Text>
            </>
          )}
          {failure !== undefined && <FailureBanner error={failure} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={group === undefined} loading={isRunning}>
              {isNotifying && release.status === 'published' ? 'Add and notify' : 'Add'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
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
