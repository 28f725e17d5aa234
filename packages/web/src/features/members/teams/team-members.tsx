import { Button, Checkbox, MultiSelect, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Team, TeamMember } from '@quayside/sdk'
import { keepPreviousData, useInfiniteQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { teamText } from '../../../text/members/teams.ts'
import { ApplicationIcon } from '../../../ui/application-icon.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { plural } from '../../../ui/format/bytes.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { ownPhoto } from '../../../ui/forms/own-photo.ts'
import { scrollingOptions } from '../../../ui/forms/scrolling-options.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { IconUserPlus, IconUsers } from '../../../ui/icons/icons.ts'
import { LoadMore } from '../../../ui/loading/load-more.tsx'
import { Loaded } from '../../../ui/loading/loaded.tsx'
import phoneBar from '../../../ui/phone-bar.module.css'
import type { Column } from '../../../ui/table/column.ts'
import { SelectableTable, type Selection } from '../../../ui/table/selectable-table.tsx'
import toolbar from '../../../ui/table/table-toolbar.module.css'
import { showDone, showUndo } from '../../../ui/toast.tsx'
import { workspaceMembersQuery } from '../member.queries.ts'
import classes from './team-page.module.css'
import { reloadTeams, teamMemberIdsQuery, teamMembersQuery } from './team.queries.ts'

const maxPeople = 100

/** The people in a team, who are added and removed several at once. */
export function TeamMembers({ team }: { team: Team }) {
  const canEdit = useSession().can('members:write')
  const [search, setSearch] = useState('')
  const [isAdding, setIsAdding] = useState(false)
  const query = useInfiniteQuery({ ...teamMembersQuery(team.id, search), placeholderData: keepPreviousData })
  const add = canEdit && (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => setIsAdding(true)}>
      Add members
    </Button>
  )
  return (
    <>
      {team.member_count === 0 ? (
        <EmptyState
          icon={<IconUsers size={22} />}
          title="No members yet"
          action={add === false ? undefined : add}
        >
          {teamText.noMembers}
        </EmptyState>
      ) : (
        <>
          <div className={`${toolbar.toolbar} ${phoneBar.bar}`}>
            <SearchField
              className={toolbar.search}
              label="members"
              placeholder="Name or email address"
              maxLength={50}
              value={search}
              onChange={setSearch}
            />
            {add}
          </div>
          <Loaded query={query} rows={6}>
            {({ pages }) => (
              <MemberList
                team={team}
                members={pages.flatMap(({ data }) => data)}
                total={pages[0]?.pagination.total ?? 0}
                canEdit={canEdit}
              />
            )}
          </Loaded>
          <LoadMore query={query}>Show more members</LoadMore>
        </>
      )}
      {isAdding && <AddMembersDialog team={team} onClose={() => setIsAdding(false)} />}
    </>
  )
}

type ListProps = { team: Team; members: readonly TeamMember[]; total: number; canEdit: boolean }

function MemberList({ team, members, total, canEdit }: ListProps) {
  const queryClient = useQueryClient()
  if (members.length === 0)
    return (
      <Text c="dimmed" fz="sm">
        {teamText.noMatch}
      </Text>
    )
  async function remove(chosen: readonly TeamMember[]): Promise<void> {
    const batches = Array.from({ length: Math.ceil(chosen.length / maxPeople) }, (_, index) => ({
      team_id: team.id,
      body: { user_ids: chosen.slice(index * maxPeople, (index + 1) * maxPeople).map(({ id }) => id) },
    }))
    try {
      for (const batch of batches) await api.removeTeamMembers(batch)
    } finally {
      await reloadTeams(queryClient)
    }
    const returning = chosen.some(({ source }) => source !== 'manual')
    showUndo(teamText.membersRemoved(chosen.length, returning), async () => {
      for (const batch of batches) await api.createTeamMembers(batch)
      await reloadTeams(queryClient)
    })
  }
  return (
    <SelectableTable
      label="Members"
      noun="member"
      rows={members}
      total={total}
      canSelect={canEdit}
      columnsOf={columnsOf}
      onRemove={remove}
    />
  )
}

const columnsOf = (selection: Selection | undefined): Column<TeamMember>[] => [
  {
    id: 'member',
    label: 'Member',
    width: 'minmax(0, 1fr)',
    hasLines: true,
    isInteractive: true,
    cell: ({ id, name, email, source, profile_photo_url: photo }) => (
      <div className={classes.member}>
        {selection !== undefined && (
          <Checkbox
            aria-label={name}
            checked={selection.selected.has(id)}
            onChange={() => selection.toggle(id)}
          />
        )}
        <ApplicationIcon name={name} url={ownPhoto(photo)} size={28} round />
        <div className={classes.names}>
          <span>{name}</span>
          <span className="soft">{email}</span>
          {source !== 'manual' && <span className="soft">{teamText.sources[source]}</span>}
        </div>
      </div>
    ),
  },
  {
    id: 'added',
    label: 'Added',
    width: '10rem',
    isAtEnd: true,
    hiddenBelow: 'narrow',
    cell: ({ added_at: addedAt }) => (
      <span className="soft">
        added <RelativeTime time={addedAt} />
      </span>
    ),
  },
]

function AddMembersDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { data: people } = useSuspenseQuery(workspaceMembersQuery)
  const { data: existing } = useSuspenseQuery(teamMemberIdsQuery(team.id))
  const form = useForm<{ user_ids: string[] }>({
    initialValues: { user_ids: [] },
    validate: { user_ids: (ids) => (ids.length === 0 ? teamText.selectPeople : null) },
  })
  const others = people.filter(({ id }) => !existing.includes(id))
  const { length: count } = form.values.user_ids
  return (
    <FormDialog
      title={`Add members to ${team.name}`}
      submitLabel={count === 0 ? 'Add members' : `Add ${plural(count, 'member')}`}
      form={form}
      onClose={onClose}
      isDisabled={others.length === 0}
      onSubmit={async (body) => {
        await api.createTeamMembers({ team_id: team.id, body })
        showDone(teamText.membersAdded(count))
        onClose()
        await reloadTeams(queryClient)
      }}
    >
      {others.length === 0 ? (
        <Text fz="sm">{teamText.everyoneIsMember}</Text>
      ) : (
        <MultiSelect
          label="Members"
          placeholder={count === 0 ? 'Name or email address' : undefined}
          searchable
          clearable
          hidePickedOptions
          maxValues={maxPeople}
          data-autofocus
          {...scrollingOptions}
          data={others.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
          {...form.getInputProps('user_ids')}
        />
      )}
    </FormDialog>
  )
}
