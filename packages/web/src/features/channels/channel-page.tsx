import { Menu } from '@mantine/core'
import type { Channel } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { QueryFailure } from '../../frame/query-failure.tsx'
import { channelText } from '../../text/distribution/channels.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { IconPencil, IconTrash } from '../../ui/icons/icons.ts'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { BackLink } from '../../ui/navigation/back-link.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { showDone } from '../../ui/toast.tsx'
import { Adoption } from './adoption.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import { ChannelAccess, sourceOf } from './channel-facts.tsx'
import { ChannelFormats } from './channel-formats.tsx'
import classes from './channel-page.module.css'
import { channelQuery, channelsQuery } from './channel.queries.ts'
import { ReadKeys } from './read-keys.tsx'
import { RolloutList } from './rollout-list.tsx'

const route = getRouteApi('/console/applications/$applicationId/distribute/$channelId')

/** The rollouts, formats and read keys of an update channel. */
export function ChannelPage() {
  const { applicationId, channelId } = route.useParams()
  const query = useQuery(channelQuery({ application_id: applicationId, channel_id: channelId }))
  const { data: channel } = query
  if (query.error !== null) return <QueryFailure query={query} />
  return (
    <>
      <BackLink to="/applications/$applicationId/distribute" params={{ applicationId }}>
        Distribute
      </BackLink>
      {channel !== undefined && <LoadedPage key={channel.id} channel={channel} />}
    </>
  )
}

function LoadedPage({ channel }: { channel: Channel }) {
  const { can } = useSession()
  const { application_id: applicationId } = channel
  const canEdit = can('application:write', applicationId)
  return (
    <>
      <PageHeader
        title={channel.name}
        documentTitle={`Channel ${channel.name}`}
        facts={
          <span className={classes.facts}>
            <span>{sourceOf(channel)}</span>
            <ChannelAccess access={channel.access} />
            <Copyable value={channel.url} label="channel URL" mono />
          </span>
        }
        actions={canEdit ? <ChannelMenu channel={channel} /> : undefined}
      />
      {!canEdit && <p className="soft">{channelText.readOnly}</p>}
      {can('releases:read', applicationId) && <RolloutList channel={channel} />}
      <Adoption channel={channel} />
      <ChannelFormats channel={channel} />
      {channel.access === 'read_keys' && <ReadKeys channel={channel} canEdit={canEdit} />}
    </>
  )
}

function ChannelMenu({ channel }: { channel: Channel }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [action, setAction] = useState<'edit' | 'delete'>()
  const close = () => setAction(undefined)
  const { id, name, application_id: applicationId } = channel
  const params = { application_id: applicationId, channel_id: id }
  async function remove(): Promise<void> {
    const { message } = await api.deleteChannel(params)
    queryClient.setQueryData(channelsQuery(applicationId).queryKey, (channels) =>
      channels?.filter((each) => each.id !== id),
    )
    await navigate({ to: '/applications/$applicationId/distribute', params: { applicationId } })
    queryClient.removeQueries({ queryKey: channelQuery(params).queryKey })
    showDone(message)
  }
  return (
    <>
      <RowMenu label="More actions" isOfPage>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setAction('edit')}>
          Edit
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setAction('delete')}>
          Delete channel
        </Menu.Item>
      </RowMenu>
      {action === 'edit' && <ChannelDialog applicationId={applicationId} channel={channel} onClose={close} />}
      {action === 'delete' && (
        <ConfirmDialog
          title={channelText.deleteTitle(name)}
          confirmLabel="Delete channel"
          isDangerous
          typeToConfirm={name}
          onConfirm={remove}
          onClose={close}
        >
          {channelText.delete}
        </ConfirmDialog>
      )}
    </>
  )
}
