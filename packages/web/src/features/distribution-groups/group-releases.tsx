import { Button, Menu } from '@mantine/core'
import type { DistributionGroup, DistributionGroupRelease } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { groupReleaseState, groupText } from '../../text/distribution/distribution-groups.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { IconMail, IconPlus, IconTrash } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import toolbar from '../../ui/table/table-toolbar.module.css'
import { showDone, showFailure, showUndo } from '../../ui/toast.tsx'
import { AddReleaseDialog } from './add-release-dialog.tsx'
import classes from './group-members.module.css'
import { groupReleasesQuery, reloadGroups } from './group.queries.ts'

/** The releases that the members of a group can download. */
export function GroupReleases({ group, canEdit }: { group: DistributionGroup; canEdit: boolean }) {
  const query = useQuery(groupReleasesQuery(group.id))
  const [isAdding, setIsAdding] = useState(false)
  const add = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsAdding(true)}>
      Add a release
    </Button>
  )
  return (
    <>
      <Loaded query={query}>
        {(releases) =>
          releases.length === 0 ? (
            <EmptyState
              title="No releases yet"
              action={
                add === false ? undefined : (
                  <>
                    {add}
                    <CommandLine
                      code={`quayside api POST /distribution-groups/${group.id}/releases -f release_id=<id> -F notify=true`}
                    />
                  </>
                )
              }
            >
              {groupText.noReleases}
            </EmptyState>
          ) : (
            <>
              {add !== false && (
                <div className={toolbar.toolbar}>
                  <span />
                  {add}
                </div>
              )}
              <ItemList label="Releases">
                {releases.map((release) => (
                  <ReleaseItem key={release.id} group={group} release={release} canEdit={canEdit} />
                ))}
              </ItemList>
            </>
          )
        }
      </Loaded>
      {isAdding && (
        <AddReleaseDialog group={group} added={query.data ?? []} onClose={() => setIsAdding(false)} />
      )}
    </>
  )
}

type ItemProps = { group: DistributionGroup; release: DistributionGroupRelease; canEdit: boolean }

function ReleaseItem({ group, release, canEdit }: ItemProps) {
  const { version, title } = release
  const { notify, remove } = useGroupRelease(group, release)
  return (
    <Item
      isMuted={release.status === 'withdrawn'}
      title={
        <Link
          to="/applications/$applicationId/releases/$releaseId"
          params={{ applicationId: release.application_id, releaseId: release.id }}
          className={classes.link}
        >
          {title === version ? version : `${version} · ${title}`}
        </Link>
      }
      detail={
        <>
          <span>{release.application_name}</span>
          <span>{groupReleaseState(release)}</span>
        </>
      }
      end={
        <span>
          added <RelativeTime time={release.added_at} />
        </span>
      }
      menu={
        canEdit && (
          <RowMenu label={`Actions for ${version}`}>
            {release.status === 'published' && (
              <Menu.Item
                leftSection={<IconMail size={16} />}
                disabled={!group.is_active || group.tester_count === 0}
                onClick={() => void notify().catch(showFailure)}
              >
                Notify members who have no email yet
              </Menu.Item>
            )}
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={16} />}
              onClick={() => void remove().catch(showFailure)}
            >
              Remove from the group
            </Menu.Item>
          </RowMenu>
        )
      }
    />
  )
}

/** Returns the functions that notify the members of a release, and that remove it from the group. */
function useGroupRelease(group: DistributionGroup, release: DistributionGroupRelease) {
  const queryClient = useQueryClient()
  const path = { distribution_group_id: group.id, release_id: release.id }
  async function add(notify: boolean): Promise<number> {
    const { notified_count: count } = await api.addDistributionGroupRelease({
      distribution_group_id: group.id,
      body: { release_id: release.id, notify },
    })
    await reloadGroups(queryClient)
    return count
  }
  async function notify(): Promise<void> {
    const count = await add(true)
    showDone(groupText.notified(count))
  }
  async function remove(): Promise<void> {
    await api.removeDistributionGroupRelease(path)
    await reloadGroups(queryClient)
    // Members of a published release have been notified already, and those who were added since are not notified now.
    const mayNotify = release.notify && release.status !== 'published' && group.is_active
    showUndo(groupText.releaseRemoved(release.version), () => add(mayNotify))
  }
  return { notify, remove }
}
