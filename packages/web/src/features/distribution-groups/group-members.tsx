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
import { formatCount, plural } from '../../ui/format/bytes.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { IconTrash, IconUserPlus } from '../../ui/icons/icons.ts'
import { LoadMore } from '../../ui/loading/load-more.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import phoneBar from '../../ui/phone-bar.module.css'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { showFailure, showUndo } from '../../ui/toast.tsx'
import { versionText } from '../builds/build.queries.ts'
import { AddMembersDialog } from './add-members-dialog.tsx'
import classes from './group-members.module.css'
import { groupMembersQuery, reloadGroups } from './group.queries.ts'
import { MemberBadges } from './member-badges.tsx'

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
          <div className={`${classes.toolbar} ${phoneBar.bar}`}>
            {can('members:read') && (
              <SearchField
                className={classes.search}
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
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const shown = members.filter(({ id }) => selected.has(id))
  if (members.length === 0)
    return (
      <Text c="dimmed" fz="sm">
        {groupText.noMatch}
      </Text>
    )
  async function remove(): Promise<void> {
    const emails = shown.flatMap(({ email }) => (email === null ? [] : [email]))
    const params = { distribution_group_id: groupId, body: { emails } }
    const { removed_count: count } = await api.removeDistributionGroupMembers(params)
    setSelected(new Set())
    await reloadGroups(queryClient)
    const undo = async () => {
      await api.createDistributionGroupMembers(params)
      await reloadGroups(queryClient)
    }
    showUndo(groupText.membersRemoved(count), undo)
  }
  const clearBounce = (memberId: string) => {
    const params = { distribution_group_id: groupId, member_id: memberId }
    api
      .clearDistributionGroupMemberBounce(params)
      .then(() => reloadGroups(queryClient))
      .catch(showFailure)
  }
  const toggle = (id: string) => setSelected(selected.symmetricDifference(new Set([id])))
  // Members are removed by address, which is hidden from people who may not read the members of the workspace.
  const canSelect = canEdit && members.some(({ email }) => email !== null)
  return (
    <div>
      <div className={classes.head}>
        {canSelect && <SelectAllMembers members={members} shown={shown} onSelect={setSelected} />}
        <span className={classes.count}>
          {shown.length > 0 ? `${formatCount(shown.length)} selected` : plural(total, 'member')}
        </span>
        {shown.length > 0 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTrash size={15} />}
            onClick={() => void remove().catch(showFailure)}
          >
            Remove
          </Button>
        )}
      </div>
      <DataTable
        label="Members"
        columns={columnsOf(canSelect ? { selected, toggle } : undefined, canEdit ? clearBounce : undefined)}
        rows={members}
        keyOf={({ id }) => id}
        isSelected={({ id }) => selected.has(id)}
        isHeadHidden
      />
    </div>
  )
}

type SelectAllProps = Pick<ListProps, 'members'> & {
  /** The members that are shown and selected. */
  shown: readonly DistributionGroupMember[]
  onSelect: (ids: ReadonlySet<string>) => void
}

function SelectAllMembers({ members, shown, onSelect }: SelectAllProps) {
  return (
    <Checkbox
      aria-label="Select all members that are shown"
      checked={shown.length === members.length}
      indeterminate={shown.length > 0 && shown.length < members.length}
      onChange={() =>
        onSelect(shown.length === members.length ? new Set() : new Set(members.map(({ id }) => id)))
      }
    />
  )
}

type Selection = { selected: ReadonlySet<string>; toggle: (id: string) => void }

/** Returns the columns. Without a selection, members cannot be selected. */
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
