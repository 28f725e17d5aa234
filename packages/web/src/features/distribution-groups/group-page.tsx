import { Box, Button, Menu, Tabs } from '@mantine/core'
import type { DistributionGroup } from '@quayside/sdk'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { optionalOneOf } from '../../api/search-params.ts'
import { useSession } from '../../api/session.ts'
import { groupText } from '../../text/distribution/distribution-groups.ts'
import { plural } from '../../ui/format/bytes.ts'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '../../ui/icons/icons.ts'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { BackLink } from '../../ui/navigation/back-link.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import pageTabs from '../../ui/navigation/page-tabs.module.css'
import { Notice } from '../../ui/notice.tsx'
import { showDone, showFailure, showUndo } from '../../ui/toast.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { GroupDownloads } from './group-downloads.tsx'
import { GroupIcon } from './group-icon.tsx'
import { GroupBadges } from './group-list-page.tsx'
import { GroupMembers } from './group-members.tsx'
import classes from './group-page.module.css'
import { GroupReleases } from './group-releases.tsx'
import { groupChanged, groupQuery, groupsQuery } from './group.queries.ts'

const route = getRouteApi('/console/groups/$groupId')

/** Shows the members, releases and downloads of a group. */
export function GroupPage() {
  const { groupId } = route.useParams()
  const navigate = route.useNavigate()
  const { data: group } = useSuspenseQuery(groupQuery(groupId))
  const { can } = useSession()
  const canEdit = can('distribution_groups:write')
  const tab = optionalOneOf(route.useSearch().tab, ['releases', 'downloads']) ?? 'members'
  return (
    <>
      <BackLink to="/groups">Groups</BackLink>
      <PageHeader
        title={
          <span className={classes.title}>
            {group.name}
            <GroupBadges group={group} />
          </span>
        }
        documentTitle={group.name}
        icon={<GroupIcon group={group} size={44} />}
        facts={[plural(group.tester_count, 'member'), group.description].filter(Boolean).join(' · ')}
        actions={canEdit ? <GroupMenu group={group} /> : undefined}
      />
      {!group.is_active && <InactiveBanner group={group} canEdit={canEdit} />}
      <Tabs
        value={tab}
        onChange={(value) =>
          void navigate({
            search: { tab: value === 'members' ? undefined : (value ?? undefined) },
            replace: true,
          })
        }
      >
        <Tabs.List className={pageTabs.tabs} mb="md">
          <Tabs.Tab value="members">Members</Tabs.Tab>
          <Tabs.Tab value="releases">Releases</Tabs.Tab>
          <Tabs.Tab value="downloads">Downloads</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="members">
          <GroupMembers group={group} canEdit={canEdit} />
        </Tabs.Panel>
        <Tabs.Panel value="releases">
          <GroupReleases group={group} canEdit={canEdit} />
        </Tabs.Panel>
        <Tabs.Panel value="downloads">
          <GroupDownloads group={group} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

/** Returns a function that activates or deactivates a group and offers to take that back. */
function useActivation(group: DistributionGroup) {
  const queryClient = useQueryClient()
  return async function setActive(isActive: boolean): Promise<void> {
    const { data } = await api.updateDistributionGroup({
      distribution_group_id: group.id,
      body: { is_active: isActive },
    })
    await groupChanged(queryClient, data)
    showUndo(isActive ? groupText.activated : groupText.deactivated, () => setActive(!isActive))
  }
}

function InactiveBanner({ group, canEdit }: { group: DistributionGroup; canEdit: boolean }) {
  const setActive = useActivation(group)
  return (
    <Box mb="md">
      <Notice
        kind="off"
        title={groupText.inactive.title}
        action={
          canEdit && (
            <Button variant="default" size="xs" onClick={() => void setActive(true).catch(showFailure)}>
              Activate
            </Button>
          )
        }
      >
        {groupText.inactive.detail}
      </Notice>
    </Box>
  )
}

function GroupMenu({ group }: { group: DistributionGroup }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const setActive = useActivation(group)
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  async function remove(): Promise<void> {
    await api.deleteDistributionGroup({ distribution_group_id: group.id })
    queryClient.setQueryData(groupsQuery.queryKey, (groups) => groups?.filter(({ id }) => id !== group.id))
    await navigate({ to: '/groups' })
    queryClient.removeQueries({ queryKey: groupQuery(group.id).queryKey })
    showDone(groupText.deleted)
  }
  return (
    <>
      <RowMenu label="More actions" isOfPage>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setOpen('edit')}>
          Edit
        </Menu.Item>
        {group.is_active ? (
          <Menu.Item
            leftSection={<IconPlayerPause size={16} />}
            onClick={() => void setActive(false).catch(showFailure)}
          >
            Deactivate
          </Menu.Item>
        ) : (
          <Menu.Item
            leftSection={<IconPlayerPlay size={16} />}
            onClick={() => void setActive(true).catch(showFailure)}
          >
            Activate
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setOpen('delete')}>
          Delete group
        </Menu.Item>
      </RowMenu>
      {open === 'edit' && <GroupDialog group={group} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={groupText.deleteTitle(group.name)}
          confirmLabel="Delete group"
          isDangerous
          onConfirm={remove}
          onClose={close}
        >
          {groupText.deletion}
        </ConfirmDialog>
      )}
    </>
  )
}
