import { Button, Group } from '@mantine/core'
import type { DistributionGroup } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { groupText } from '../../text/distribution/distribution-groups.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { plural } from '../../ui/format/bytes.ts'
import { IconPlus, IconUsersGroup } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { StateBadge } from '../../ui/status/state-badge.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { GroupIcon } from './group-icon.tsx'
import classes from './group-members.module.css'
import { groupsQuery } from './group.queries.ts'

/** Lists the distribution groups of the workspace. */
export function GroupListPage() {
  const { can } = useSession()
  const canCreate = can('distribution_groups:create')
  const query = useQuery(groupsQuery)
  const [isCreating, setIsCreating] = useState(false)
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
      New group
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Distribution groups"
        documentTitle="Groups"
        facts="People who get releases by personal links"
        actions={canCreate && query.data?.length !== 0 ? create : undefined}
      />
      <Loaded query={query}>
        {(groups) =>
          groups.length === 0 ? (
            <EmptyState
              icon={<IconUsersGroup size={22} />}
              title="No groups yet"
              action={
                canCreate ? (
                  <>
                    <Group justify="center">{create}</Group>
                    <CommandLine code='quayside api POST /distribution-groups -f name="Beta testers"' />
                  </>
                ) : undefined
              }
            >
              {groupText.explanation}
            </EmptyState>
          ) : (
            <ItemList label="Distribution groups">
              {groups.map((group) => (
                <GroupItem key={group.id} group={group} />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      {isCreating && <GroupDialog onClose={() => setIsCreating(false)} />}
    </>
  )
}

function GroupItem({ group }: { group: DistributionGroup }) {
  return (
    <Item
      leading={<GroupIcon group={group} />}
      isMuted={!group.is_active}
      title={
        <>
          <Link to="/groups/$groupId" params={{ groupId: group.id }} className={classes.link}>
            {group.name}
          </Link>
          <GroupBadges group={group} />
        </>
      }
      detail={group.description ?? undefined}
      end={<span className="tabular">{plural(group.tester_count, 'member')}</span>}
    />
  )
}

/** Marks what distinguishes a group from an active external one. */
export function GroupBadges({ group: { type, is_active: isActive } }: { group: DistributionGroup }) {
  return (
    <>
      {type === 'internal' && <StateBadge>Internal</StateBadge>}
      {!isActive && <StateBadge tone="warn">Inactive</StateBadge>}
    </>
  )
}
