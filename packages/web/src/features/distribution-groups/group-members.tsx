import { Button, Checkbox, Text } from '@mantine/core'
import type { DistributionGroup, DistributionGroupMember } from '@quayside/sdk'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { groupText } from '../../text/distribution/distribution-groups.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { IconUserPlus } from '../../ui/icons/icons.ts'
import { LoadMore } from '../../ui/loading/load-more.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import phoneBar from '../../ui/phone-bar.module.css'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import type { Column } from '../../ui/table/column.ts'
import { SelectableTable, type Selection } from '../../ui/table/selectable-table.tsx'
import toolbar from '../../ui/table/table-toolbar.module.css'
import { showFailure, showUndo } from '../../ui/toast.tsx'
import { versionText } from '../builds/build.queries.ts'
import { AddMembersDialog } from './add-members-dialog.tsx'
import classes from './group-members.module.css'
import { groupMembersQuery, reloadGroups } from './group.queries.ts'
import { MemberBadges } from './member-badges.tsx'
import { memberBatches } from './member-batches.ts'

/** The members of a group, who are added by pasting addresses and removed with undo. */
export function GroupMembers({ group, canEdit }: { group: DistributionGroup; canEdit: boolean }) {
  const { can } = useSession()
  const [search, setSearch] = useState('')
  const [isAdding, setIsAdding] = useState(false)
  const query = useInfiniteQuery({
    ...groupMembersQuery(group.id, search),
    placeholderData: keepPreviousData,
  })
  const add = canEdit && (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => setIsAdding(true)}>
      Add members
    </Button>
  )
  return (
    <>
      {group.tester_count === 0 ? (
        <EmptyState
          title="No members yet"
          action={
            add === false ? undefined : (
              <>
                {add}
                <CommandLine
                  code={`quayside api POST /distribution-groups/${group.id}/members -f 'emails[]=tester@example.com'`}
                />
              </>
            )
          }
        >
          {groupText.noMembers}
        </EmptyState>
      ) : (
        <>
          <div className={`${toolbar.toolbar} ${phoneBar.bar}`}>
            {can('members:read') && (
              <SearchField
                className={toolbar.search}
                label="members"
                placeholder="Email address"
                maxLength={100}
                value={search}
                onChange={setSearch}
              />
            )}
            {add}
          </div>
          <Loaded query={query} rows={6}>
            {({ pages }) => (
              <MemberList
                groupId={group.id}
                members={pages.flatMap(({ data }) => data)}
                total={pages[0]?.pagination.total ?? 0}
                canEdit={canEdit}
              />
            )}
          </Loaded>
          <LoadMore query={query}>Show more members</LoadMore>
        </>
      )}
      {isAdding && <AddMembersDialog group={group} onClose={() => setIsAdding(false)} />}
    </>
  )
}

type ListProps = {
  groupId: string
  members: readonly DistributionGroupMember[]
  total: number
  canEdit: boolean
}

function MemberList({ groupId, members, total, canEdit }: ListProps) {
  const queryClient = useQueryClient()
  if (members.length === 0)
    return (
      <Text c="dimmed" fz="sm">
        {groupText.noMatch}
      </Text>
    )
  async function remove(chosen: readonly DistributionGroupMember[]): Promise<void> {
    const emails = chosen.flatMap(({ email }) => (email === null ? [] : [email]))
    const batches = memberBatches(groupId, emails)
    let count = 0
    try {
      for (const batch of batches) count += (await api.removeDistributionGroupMembers(batch)).removed_count
    } finally {
      await reloadGroups(queryClient)
    }
    showUndo(groupText.membersRemoved(count), async () => {
      for (const batch of batches) await api.createDistributionGroupMembers(batch)
      await reloadGroups(queryClient)
    })
  }
  const clearBounce = (memberId: string) => {
    const params = { distribution_group_id: groupId, member_id: memberId }
    api
      .clearDistributionGroupMemberBounce(params)
      .then(() => reloadGroups(queryClient))
      .catch(showFailure)
  }
  return (
    <SelectableTable
      label="Members"
      noun="member"
      rows={members}
      total={total}
      // Members are removed by address, which is hidden from people who may not read the members of the workspace.
      canSelect={canEdit && members.some(({ email }) => email !== null)}
      columnsOf={(selection) => columnsOf(selection, canEdit ? clearBounce : undefined)}
      onRemove={remove}
    />
  )
}

const columnsOf = (
  selection: Selection | undefined,
  onClear: ((memberId: string) => void) | undefined,
): Column<DistributionGroupMember>[] => [
  {
    id: 'member',
    label: 'Member',
    width: 'minmax(0, 1.2fr)',
    hasLines: true,
    isInteractive: true,
    cell: (member) => (
      <div className={classes.member}>
        {selection === undefined ? (
          <span>{member.email ?? 'Hidden address'}</span>
        ) : (
          <Checkbox
            label={member.email ?? 'Hidden address'}
            checked={selection.selected.has(member.id)}
            onChange={() => selection.toggle(member.id)}
          />
        )}
        <MemberBadges member={member} onClear={onClear} />
      </div>
    ),
  },
  {
    id: 'download',
    label: 'Latest download',
    width: 'minmax(0, 1fr)',
    cell: ({ latest_download: latest }) =>
      latest === null ? <span className="soft">No download yet</span> : <LatestDownload latest={latest} />,
  },
  {
    id: 'added',
    label: 'Added',
    width: '9rem',
    isAtEnd: true,
    hiddenBelow: 'narrow',
    cell: ({ added_at: addedAt }) => (
      <span className="soft">
        added <RelativeTime time={addedAt} />
      </span>
    ),
  },
]

type LatestDownload = NonNullable<DistributionGroupMember['latest_download']>

function LatestDownload({ latest }: { latest: LatestDownload }) {
  const { application_id: applicationId, build_id: buildId, application_name: application, platform } = latest
  return (
    <div className={classes.latest}>
      <PlatformIcon platform={platform} />
      <Link
        to="/applications/$applicationId/builds/$buildId"
        params={{ applicationId, buildId }}
        className={classes.link}
      >
        {application} {versionText(latest)}
      </Link>
      <span className="soft">
        <RelativeTime time={latest.created_at} />
      </span>
    </div>
  )
}
