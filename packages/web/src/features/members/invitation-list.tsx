import { Menu, Switch } from '@mantine/core'
import type { CreatedInvitation, Invitation } from '@quayside/sdk'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { memberText, roleLabel } from '../../text/members/members.ts'
import { teamText } from '../../text/members/teams.ts'
import { plural } from '../../ui/format/bytes.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconMail, IconSend, IconTrash } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { StateBadge } from '../../ui/status/state-badge.tsx'
import { showDone, showFailure } from '../../ui/toast.tsx'
import { applicationsQuery } from '../applications/application.queries.ts'
import { InvitationLinks } from './invitation-links.tsx'
import { invitationsQuery } from './member.queries.ts'

/** The invitations that are open and, on request, those that were accepted, revoked or have expired. */
export function InvitationList({ applicationId }: { applicationId?: string }) {
  const { data: all = [] } = useQuery(invitationsQuery)
  const [showsAll, setShowsAll] = useState(false)
  const [resent, setResent] = useState<CreatedInvitation>()
  const [revoking, setRevoking] = useState<Invitation>()
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
  const invitations =
    applicationId === undefined
      ? all
      : all.filter(({ applications }) => applications.some((each) => each.application_id === applicationId))
  const open = invitations.filter(({ status }) => status === 'open')
  const shown = showsAll ? invitations : open
  const past = invitations.length - open.length
  if (invitations.length === 0) return null

  async function sendAgain(invitation: Invitation): Promise<void> {
    try {
      setResent(await replaceInvitation(invitation))
    } catch (error) {
      showFailure(error)
      // The invitation may already be revoked. It stays visible, so that the person can be invited again.
      setShowsAll(true)
    } finally {
      void refresh()
    }
  }
  return (
    <SettingsSection title="Invitations">
      {shown.length > 0 && (
        <ItemList label="Invitations">
          {shown.map((invitation) => (
            <InvitationItem
              key={invitation.id}
              invitation={invitation}
              onSend={() => void sendAgain(invitation)}
              onRevoke={() => setRevoking(invitation)}
            />
          ))}
        </ItemList>
      )}
      {past > 0 && (
        <Switch
          mt="md"
          size="xs"
          label={`Show ${plural(past, 'invitation')} that ${past === 1 ? 'is' : 'are'} no longer open`}
          checked={showsAll}
          onChange={(event) => setShowsAll(event.currentTarget.checked)}
        />
      )}
      {resent !== undefined && (
        <InvitationLinks invitations={[resent]} onClose={() => setResent(undefined)} />
      )}
      {revoking !== undefined && (
        <RevokeDialog invitation={revoking} onClose={() => setRevoking(undefined)} onRevoked={refresh} />
      )}
    </SettingsSection>
  )
}

/** An invitation cannot be sent twice, because the server does not know its link. A new one replaces it. */
async function replaceInvitation({
  id,
  email,
  role,
  application_id,
  applications,
  teams,
  status,
}: Invitation): Promise<CreatedInvitation> {
  if (status === 'open') await api.deleteInvitation({ invitation_id: id })
  const access =
    application_id === null ? { applications, teams: teams.map((team) => team.id) } : { application_id }
  return (await api.createInvitation({ body: { email, role, ...access } })).data
}

type RevokeProps = { invitation: Invitation; onClose: () => void; onRevoked: () => Promise<unknown> }

function RevokeDialog({ invitation, onClose, onRevoked }: RevokeProps) {
  return (
    <ConfirmDialog
      title={memberText.revokeInvitationTitle(invitation.email)}
      confirmLabel="Revoke"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await api.deleteInvitation({ invitation_id: invitation.id })
        showDone(memberText.invitationRevoked)
        await onRevoked()
      }}
    >
      {memberText.revokeInvitation}
    </ConfirmDialog>
  )
}

type ItemProps = { invitation: Invitation; onSend: () => void; onRevoke: () => void }

function InvitationItem({ invitation, onSend, onRevoke }: ItemProps) {
  const { email, role, status, application_id: applicationId, created_at: createdAt } = invitation
  const { applications: granted, teams } = invitation
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const { can, role: ownRole } = useSession()
  const isOpen = status === 'open'
  const nameOf = (id: string) => applications.find((each) => each.id === id)?.name ?? 'a deleted application'
  const canEdit = can('members:write') && (role !== 'owner' || ownRole === 'owner')
  return (
    <Item
      leading={<IconMail size={18} />}
      isMuted={!isOpen}
      title={
        <>
          {email}
          {!isOpen && <StateBadge tone={status === 'accepted' ? 'good' : 'neutral'}>{status}</StateBadge>}
        </>
      }
      detail={
        <>
          <span>
            {roleLabel(role)}
            {applicationId !== null && ` in ${nameOf(applicationId)}`}
          </span>
          {applicationId === null &&
            granted.map((each) => (
              <span key={each.application_id}>
                {roleLabel(each.role)} in {nameOf(each.application_id)}
              </span>
            ))}
          {teams.length > 0 && <span>{teamText.joins(teams.map(({ name }) => name))}</span>}
          <span>
            invited <RelativeTime time={createdAt} />
          </span>
        </>
      }
      end={
        isOpen && (
          <span>
            Expires <RelativeTime time={invitation.expires_at} />
          </span>
        )
      }
      menu={
        canEdit &&
        status !== 'accepted' && (
          <RowMenu label={`Actions for the invitation to ${email}`}>
            <Menu.Item leftSection={<IconSend size={16} />} onClick={onSend}>
              {isOpen ? 'Send again' : 'Invite again'}
            </Menu.Item>
            {isOpen && (
              <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={onRevoke}>
                Revoke
              </Menu.Item>
            )}
          </RowMenu>
        )
      }
    />
  )
}
