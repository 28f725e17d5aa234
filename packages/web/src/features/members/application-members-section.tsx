import { Button, Group, Menu, Select, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import type { Member, WorkspaceMember } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { applicationRoles, memberText, roleLabel } from '../../text/members/members.ts'
import { teamText } from '../../text/members/teams.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { DoneDialog } from '../../ui/forms/done-dialog.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { ownPhoto } from '../../ui/forms/own-photo.ts'
import { scrollingOptions } from '../../ui/forms/scrolling-options.ts'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconUserMinus, IconUserPlus, IconUsersGroup } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { showFailure, showUndo } from '../../ui/toast.tsx'
import { AccessRequestList } from './access-requests/access-request-list.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { applicationMembersQuery, workspaceMembersQuery } from './member.queries.ts'
import { RoleRadios } from './role-radios.tsx'
import { RoleSelect } from './role-select.tsx'
import { ApplicationTeams } from './teams/application-teams.tsx'

type Role = Member['resolved_role']

/** The members of an application with their roles. */
export function ApplicationMembersSection({ applicationId }: { applicationId: string }) {
  const query = useQuery(applicationMembersQuery(applicationId))
  const { data: workspaceMembers = [] } = useQuery(workspaceMembersQuery)
  const { can } = useSession()
  const [isAdding, add] = useDisclosure()
  const [isInviting, invite] = useDisclosure()
  const { setRole, remove } = useMemberActions(applicationId)
  const canEdit = can('members:write', applicationId)
  const others = workspaceMembers.filter(
    ({ id }) => query.data?.every((member) => member.id !== id || member.source === 'team') ?? false,
  )
  const [explained, setExplained] = useState<Member>()
  return (
    <>
      {canEdit && <AccessRequestList applicationId={applicationId} />}
      <SettingsSection
        title="Members"
        description={memberText.ofApplication}
        action={
          <Group gap="xs">
            {can('members:write') && (
              <Button variant="default" onClick={invite.open}>
                Invite people
              </Button>
            )}
            {can('applications:write') && (
              <Button
                leftSection={<IconUserPlus size={16} />}
                onClick={add.open}
                disabled={others.length === 0}
              >
                Add a member
              </Button>
            )}
          </Group>
        }
      >
        <Loaded query={query}>
          {(members) => (
            <ItemList label="Members">
              {members.map((member) => (
                <MemberItem
                  key={member.id}
                  member={member}
                  isInherited={
                    member.role === 'owner' ||
                    workspaceMembers.some(({ id, role }) => id === member.id && role !== 'member')
                  }
                  canEdit={canEdit}
                  onChange={(role) => setRole(member, role)}
                  onRemove={() =>
                    member.source === 'team' ? setExplained(member) : void remove(member).catch(showFailure)
                  }
                />
              ))}
            </ItemList>
          )}
        </Loaded>
      </SettingsSection>
      <ApplicationTeams applicationId={applicationId} canEdit={canEdit} />
      {can('members:write') && <InvitationList applicationId={applicationId} />}
      {explained !== undefined && (
        <TeamAccessDialog member={explained} onClose={() => setExplained(undefined)} />
      )}
      {isAdding && <AddMemberDialog applicationId={applicationId} people={others} onClose={add.close} />}
      {isInviting && <InviteDialog applicationId={applicationId} onClose={invite.close} />}
    </>
  )
}

/** Returns functions that change and remove members of an application and offer to take that back. */
function useMemberActions(applicationId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = applicationMembersQuery(applicationId)
  const refresh = () => queryClient.invalidateQueries({ queryKey })
  const save = (userId: string, role: Role) =>
    api.updateApplicationMember({ application_id: applicationId, user_id: userId, body: { role } })
  const undo = (action: () => Promise<unknown>) => () => action().finally(refresh)
  return {
    async setRole({ id, name, role: before }: Member, role: Role): Promise<void> {
      await save(id, role)
      showUndo(
        memberText.roleChanged(name, role),
        undo(() => save(id, grantable(before))),
      )
      await refresh()
    },
    async remove(member: Member): Promise<void> {
      const { id, name, role } = member
      queryClient.setQueryData(queryKey, (members) => members?.filter((member) => member.id !== id))
      try {
        await api.deleteApplicationMember({ application_id: applicationId, user_id: id })
        const body = { user_id: id, role: grantable(role) }
        showUndo(
          member.teams.length === 0
            ? memberText.removedFromApplication(name)
            : teamText.stillThrough(name, namesOf(member)),
          undo(() => api.createApplicationMember({ application_id: applicationId, body })),
        )
      } finally {
        await refresh()
      }
    },
  }
}

/** Returns the role in the application. Only people who inherit their role from the workspace are owners. */
const grantable = (role: Member['role']): Role => (role === 'owner' ? 'admin' : role)

const namesOf = ({ teams }: Member): string[] => teams.map(({ name }) => name)

type ItemProps = {
  member: Member
  isInherited: boolean
  canEdit: boolean
  onChange: (role: Role) => Promise<void>
  onRemove: () => void
}

function MemberItem({ member, isInherited, canEdit, onChange, onRemove }: ItemProps) {
  const { name, email, profile_photo_url: photo, role, resolved_role: resolved, source } = member
  return (
    <Item
      leading={<ApplicationIcon name={name} url={ownPhoto(photo)} size={32} round />}
      title={name}
      detail={
        <>
          <span>{email}</span>
          {isInherited && <span>{memberText.inherited}</span>}
          {source === 'team' && <span>{teamText.through(namesOf(member))}</span>}
          {!isInherited && resolved !== role && (
            <span>{teamText.alsoThrough(resolved, namesOf(member))}</span>
          )}
        </>
      }
      end={
        canEdit && !isInherited && source !== 'team' ? (
          <RoleSelect<Role>
            name={name}
            value={grantable(role)}
            roles={applicationRoles}
            onChange={onChange}
          />
        ) : (
          roleLabel(role)
        )
      }
      menu={
        canEdit &&
        !isInherited && (
          <RowMenu label={`Actions for ${name}`}>
            <Menu.Item color="red" leftSection={<IconUserMinus size={16} />} onClick={onRemove}>
              Remove from the application
            </Menu.Item>
          </RowMenu>
        )
      }
    />
  )
}

/** Says through which teams a person has access, which ends only there. */
function TeamAccessDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { name, teams } = member
  return (
    <DoneDialog title={teamText.accessTitle(name)} label="Close" onClose={onClose}>
      <Text fz="sm">{teamText.accessDetail(name, teams.length)}</Text>
      <ItemList label="Teams">
        {teams.map((team) => (
          <Item
            key={team.id}
            leading={<IconUsersGroup size={18} />}
            title={
              <Link to="/teams/$teamId" params={{ teamId: team.id }}>
                {team.name}
              </Link>
            }
            end={roleLabel(team.role)}
          />
        ))}
      </ItemList>
    </DoneDialog>
  )
}

type DialogProps = { applicationId: string; people: readonly WorkspaceMember[]; onClose: () => void }

function AddMemberDialog({ applicationId, people, onClose }: DialogProps) {
  const queryClient = useQueryClient()
  const form = useForm<{ user_id: string | null; role: Role }>({
    initialValues: { user_id: null, role: 'developer' },
    validate: { user_id: (id) => (id === null ? memberText.selectMember : null) },
  })
  return (
    <FormDialog
      title="Add a member"
      submitLabel="Add"
      form={form}
      onClose={onClose}
      onSubmit={async ({ user_id, role }) => {
        const body = { user_id: user_id ?? '', role }
        await api.createApplicationMember({ application_id: applicationId, body })
        await queryClient.invalidateQueries(applicationMembersQuery(applicationId))
        onClose()
      }}
    >
      <Select
        label="Member"
        searchable
        data-autofocus
        {...scrollingOptions}
        {...form.getInputProps('user_id')}
        data={people.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
      />
      <RoleRadios<Role>
        roles={applicationRoles}
        value={form.values.role}
        onChange={(role) => form.setFieldValue('role', role)}
        error={form.errors['role']}
      />
    </FormDialog>
  )
}
