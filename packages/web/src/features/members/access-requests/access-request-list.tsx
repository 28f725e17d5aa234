import { Button, Group } from '@mantine/core'
import type { AccessRequest, Member } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { applicationKey, workspaceKey } from '../../../api/query-keys.ts'
import { accessRequestText as text } from '../../../text/members/access-requests.ts'
import { applicationRoles } from '../../../text/members/members.ts'
import { ApplicationIcon } from '../../../ui/application-icon.tsx'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { ownPhoto } from '../../../ui/forms/own-photo.ts'
import { SettingsSection } from '../../../ui/forms/settings-section.tsx'
import { Item, ItemList } from '../../../ui/item-list.tsx'
import { showFailure, showUndo } from '../../../ui/toast.tsx'
import { RoleSelect } from '../role-select.tsx'
import classes from './access-request-list.module.css'
import { accessRequestsQuery } from './access-request.queries.ts'

type Role = Member['resolved_role']

/** The open requests for access to an application. Shows nothing if there are none. */
export function AccessRequestList({ applicationId }: { applicationId: string }) {
  const { data: requests = [] } = useQuery(accessRequestsQuery(applicationId))
  const { approve, decline } = useDecisions(applicationId)
  if (requests.length === 0) return null
  return (
    <SettingsSection title="Access requests" description={text.ofApplication}>
      <ItemList label="Access requests">
        {requests.map((request) => (
          <RequestItem
            key={request.id}
            request={request}
            onApprove={(role) => approve(request, role)}
            onDecline={() => decline(request)}
          />
        ))}
      </ItemList>
    </SettingsSection>
  )
}

/** Returns functions that approve and decline requests, and offer to take that back. */
function useDecisions(applicationId: string) {
  const queryClient = useQueryClient()
  const refresh = () =>
    Promise.all(
      [
        accessRequestsQuery(applicationId).queryKey,
        applicationKey(applicationId, 'members'),
        workspaceKey('attention'),
      ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    )
  const pathOf = ({ id }: AccessRequest) => ({ application_id: applicationId, access_request_id: id })
  /** Shows what others have decided in the meantime, too. */
  const run = (action: () => Promise<unknown>) => action().finally(refresh)
  return {
    approve: (request: AccessRequest, role: Role) =>
      run(async () => {
        const { id, name } = request.user
        await api.approveAccessRequest({ ...pathOf(request), body: { role } })
        const undo = async () => {
          await api.deleteApplicationMember({ application_id: applicationId, user_id: id })
          await api.restoreAccessRequest(pathOf(request))
        }
        showUndo(text.approved(name, role), () => run(undo))
      }),
    decline: (request: AccessRequest) =>
      run(async () => {
        await api.declineAccessRequest(pathOf(request))
        showUndo(text.declined(request.user.name), () => run(() => api.restoreAccessRequest(pathOf(request))))
      }),
  }
}

type ItemProps = {
  request: AccessRequest
  onApprove: (role: Role) => Promise<unknown>
  onDecline: () => Promise<unknown>
}

function RequestItem({ request, onApprove, onDecline }: ItemProps) {
  const { user, message, created_at: createdAt } = request
  const [role, setRole] = useState<Role>('readonly')
  const [isDeciding, setIsDeciding] = useState(false)
  const decide = (decision: Promise<unknown>) => {
    setIsDeciding(true)
    void decision.catch(showFailure).finally(() => setIsDeciding(false))
  }
  return (
    <Item
      leading={<ApplicationIcon name={user.name} url={ownPhoto(user.profile_photo_url)} size={32} round />}
      title={user.name}
      detail={
        <>
          <span>{user.email}</span>
          <span>
            requested <RelativeTime time={createdAt} />
          </span>
        </>
      }
      isReadFirst
      end={
        <Group gap="xs">
          <RoleSelect<Role>
            name={user.name}
            value={role}
            roles={applicationRoles}
            onChange={async (next) => setRole(next)}
          />
          <Button
            size="xs"
            variant="default"
            aria-label={`Decline the request from ${user.name}`}
            disabled={isDeciding}
            onClick={() => decide(onDecline())}
          >
            Decline
          </Button>
          <Button
            size="xs"
            aria-label={`Approve the request from ${user.name}`}
            disabled={isDeciding}
            onClick={() => decide(onApprove(role))}
          >
            Approve
          </Button>
        </Group>
      }
    >
      {message !== null && <p className={classes.message}>{message}</p>}
    </Item>
  )
}
