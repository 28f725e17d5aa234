import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { WorkspaceMember } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { workspaceKey } from '../../api/query-keys.ts'
import { useSession } from '../../api/session.ts'
import { confirmText } from '../../text/confirmations.ts'
import { memberText, roleLabel, workspaceRoles } from '../../text/members/members.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { ownPhoto } from '../../ui/forms/own-photo.ts'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconUserMinus, IconUserPlus } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { StateBadge } from '../../ui/status/state-badge.tsx'
import { showDone, showUndo } from '../../ui/toast.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { workspaceMembersQuery } from './member.queries.ts'
import { RoleSelect } from './role-select.tsx'

type Role = WorkspaceMember['role']

/** The members of the workspace with their roles, and the open invitations. */
export function MembersSection() {
  const query = useQuery(workspaceMembersQuery)
  const { can, user, role: ownRole } = useSession()
  const [isInviting, { open, close }] = useDisclosure()
  const [removing, setRemoving] = useState<WorkspaceMember>()
  const [demoting, setDemoting] = useState<WorkspaceMember>()
  const assignRole = useAssignRole()
  const canEdit = can('members:write')
  const isEditable = ({ role }: WorkspaceMember) => canEdit && (role !== 'owner' || ownRole === 'owner')
  async function change(member: WorkspaceMember, role: Role): Promise<void> {
    if (role === 'member' && member.role !== 'member') setDemoting(member)
    else await assignRole(member, role)
  }
  return (
    <>
      <SettingsSection
        title="Members"
        description={memberText.ofWorkspace}
        action={
          canEdit && (
            <Button leftSection={<IconUserPlus size={16} />} onClick={open}>
              Invite people
            </Button>
          )
        }
      >
        <Loaded query={query}>
          {(members) => (
            <ItemList label="Members">
              {members.map((member) => (
                <MemberItem
                  key={member.id}
                  member={member}
                  isSelf={member.id === user.id}
                  canGrantOwner={ownRole === 'owner'}
                  onChange={isEditable(member) ? (role) => change(member, role) : undefined}
                  onRemove={isEditable(member) ? () => setRemoving(member) : undefined}
                />
              ))}
            </ItemList>
          )}
        </Loaded>
      </SettingsSection>
      <InvitationList />
      {isInviting && <InviteDialog onClose={close} />}
      {removing !== undefined && (
        <RemoveMemberDialog member={removing} onClose={() => setRemoving(undefined)} />
      )}
      {demoting !== undefined && (
        <ConfirmDialog
          title={memberText.demoteTitle(demoting.name)}
          confirmLabel="Change role"
          isDangerous
          onConfirm={() => assignRole(demoting, 'member')}
          onClose={() => setDemoting(undefined)}
        >
          {memberText.demote}
        </ConfirmDialog>
      )}
    </>
  )
}

/** Returns a function that changes the role of a member and offers to take that back if nothing else was lost. */
function useAssignRole() {
  const queryClient = useQueryClient()
  return async function assign(member: WorkspaceMember, role: Role): Promise<void> {
    const { message } = await api.updateWorkspaceMember({ user_id: member.id, body: { role } })
    const isDemoted = role === 'member'
    if (isDemoted) showDone(message)
    else
      showUndo(memberText.promoted(member.name, role), () =>
        api
          .updateWorkspaceMember({ user_id: member.id, body: { role: member.role } })
          .finally(() => queryClient.invalidateQueries({ queryKey: workspaceMembersQuery.queryKey })),
      )
    await queryClient.invalidateQueries({ queryKey: workspaceMembersQuery.queryKey })
  }
}

type ItemProps = {
  member: WorkspaceMember
  isSelf: boolean
  canGrantOwner: boolean
  onChange: ((role: Role) => Promise<void>) | undefined
  onRemove: (() => void) | undefined
}

function MemberItem({ member, isSelf, canGrantOwner, onChange, onRemove }: ItemProps) {
  const { name, email, profile_photo_url: photo, role, added_at: addedAt } = member
  return (
    <Item
      leading={<ApplicationIcon name={name} url={ownPhoto(photo)} size={32} round />}
      title={
        <>
          {name}
          {isSelf && <StateBadge>You</StateBadge>}
        </>
      }
      detail={
        <>
          <span>{email}</span>
          <span>
            joined <RelativeTime time={addedAt} />
          </span>
        </>
      }
      end={
        onChange === undefined ? (
          roleLabel(role)
        ) : (
          <RoleSelect<Role>
            name={name}
            value={role}
            roles={workspaceRoles.filter(({ value }) => value !== 'owner' || canGrantOwner)}
            onChange={onChange}
          />
        )
      }
      menu={
        onRemove !== undefined && (
          <RowMenu label={`Actions for ${name}`}>
            <Menu.Item color="red" leftSection={<IconUserMinus size={16} />} onClick={onRemove}>
              {isSelf ? 'Leave the workspace' : 'Remove'}
            </Menu.Item>
          </RowMenu>
        )
      }
    />
  )
}

function RemoveMemberDialog({ member, onClose }: { member: WorkspaceMember; onClose: () => void }) {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      title={confirmText.remove(member.name)}
      confirmLabel="Remove"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        const { message } = await api.deleteWorkspaceMember({ user_id: member.id })
        showDone(message)
        await queryClient.invalidateQueries({ queryKey: workspaceKey() })
      }}
    >
      {memberText.remove} {member.role !== 'member' && memberText.removePrivileged}
    </ConfirmDialog>
  )
}
