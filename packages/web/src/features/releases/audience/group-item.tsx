import { ActionIcon, Button, Group, Switch, Text } from '@mantine/core'
import type { AudienceGroup, FullRelease } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { releaseText } from '../../../text/releases/release.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { Hint } from '../../../ui/hint.tsx'
import { IconX } from '../../../ui/icons/icons.ts'
import { Item } from '../../../ui/item-list.tsx'
import { showDone, showFailure, showUndo } from '../../../ui/toast.tsx'
import { reloadGroups } from '../../distribution-groups/group.queries.ts'
import { audienceQuery } from '../release.queries.ts'
import classes from './audience.module.css'

type Props = { release: FullRelease; group: AudienceGroup; canWrite: boolean }

const { audience: text } = releaseText

/** A group with how many of its members have been notified. Members who joined later can be notified too. */
export function GroupItem({ release, group, canWrite }: Props) {
  const { can } = useSession()
  const [isAsking, setIsAsking] = useState(false)
  const { id, name, tester_count: members, notified_count: notified, is_active: isActive } = group
  const isPublished = release.status === 'published'
  const { save, remove } = useGroupChanges(release, group)
  return (
    <Item
      title={
        can('distribution_groups:read') ? (
          <Link to="/groups/$groupId" params={{ groupId: id }} className={classes.link}>
            {name}
          </Link>
        ) : (
          name
        )
      }
      detail={<span data-warn={!isActive || undefined}>{stateOf(group, isPublished)}</span>}
      end={
        canWrite &&
        isActive &&
        (!isPublished || notified < members) && (
          <NotifyControl
            group={group}
            isPublished={isPublished}
            onAsk={() => setIsAsking(true)}
            onSave={save}
          />
        )
      }
      menu={
        canWrite && (
          <Hint label="Remove from the group">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove from ${name}`}
              onClick={() => void remove()}
            >
              <IconX size={17} />
            </ActionIcon>
          </Hint>
        )
      }
    >
      {isAsking && (
        <ConfirmDialog
          title={`Notify ${name}`}
          confirmLabel="Notify"
          onClose={() => setIsAsking(false)}
          onConfirm={async () => showDone(releaseText.audience.personsNotified(await save(true)))}
        >
          <Text fz="sm">{text.addNow(members - notified)}</Text>
        </ConfirmDialog>
      )}
    </Item>
  )
}

type ControlProps = {
  group: AudienceGroup
  isPublished: boolean
  onAsk: () => void
  onSave: (notify: boolean) => Promise<unknown>
}

/** Notifies the members who have not been notified or, before the publication, chooses whether they will be. */
function NotifyControl({ group, isPublished, onAsk, onSave }: ControlProps) {
  return (
    <Group gap="xs">
      {isPublished && (
        <Button size="compact-sm" variant="default" onClick={onAsk}>
          Notify {plural(group.tester_count - group.notified_count, 'person', 'people')}
        </Button>
      )}
      {!isPublished && (
        <Switch
          label="Notify"
          checked={group.notify}
          onChange={(event) => void onSave(event.currentTarget.checked).catch(showFailure)}
        />
      )}
    </Group>
  )
}

function stateOf(group: AudienceGroup, isPublished: boolean): string {
  const { is_active: isActive, notify, tester_count: members, notified_count: notified } = group
  if (!isActive) return text.inactive
  if (isPublished || notified > 0) return text.notified(notified, members)
  return notify ? text.waiting(members) : text.silent(members)
}

/** Returns the functions that save whether members are notified, and that remove the release from the group. */
function useGroupChanges(release: FullRelease, { id, name, notify }: AudienceGroup) {
  const queryClient = useQueryClient()
  const path = { distribution_group_id: id }
  const { queryKey } = audienceQuery(release.application_id, release.id)
  const reload = () => Promise.all([queryClient.invalidateQueries({ queryKey }), reloadGroups(queryClient)])

  const save = async (nextNotify: boolean) => {
    const { notified_count: count } = await api.addDistributionGroupRelease({
      ...path,
      body: { release_id: release.id, notify: nextNotify },
    })
    await reload()
    return count
  }

  async function remove(): Promise<void> {
    try {
      await api.removeDistributionGroupRelease({ ...path, release_id: release.id })
      await reload()
      // Adding it again with `notify` would send emails at once if the release is published.
      showUndo(releaseText.audience.removed(name), () => save(notify && release.status !== 'published'))
    } catch (error) {
      showFailure(error)
    }
  }

  return { save, remove }
}
