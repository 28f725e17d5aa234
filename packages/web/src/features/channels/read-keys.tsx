import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Channel, ReadKey } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { channelText } from '../../text/distribution/channels.ts'
import { plural } from '../../ui/format/bytes.ts'
import { useNow } from '../../ui/format/now.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconBan, IconKey } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { StateBadge } from '../../ui/status/state-badge.tsx'
import { readKeysQuery, reloadChannels, type ChannelParams } from './channel.queries.ts'
import { NewReadKeyDialog } from './new-read-key-dialog.tsx'

/** The keys with which clients read a channel that is not public. */
export function ReadKeys({ channel, canEdit }: { channel: Channel; canEdit: boolean }) {
  const params = { application_id: channel.application_id, channel_id: channel.id }
  const query = useQuery(readKeysQuery(params))
  const [isCreating, { open, close }] = useDisclosure()
  const [revoked, setRevoked] = useState<ReadKey>()
  return (
    <SettingsSection
      title="Read keys"
      description={channelText.readKeys}
      action={canEdit && <Button onClick={open}>New read key</Button>}
    >
      <Loaded query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <span className="soft">{channelText.noReadKeys}</span>
          ) : (
            <ItemList label="Read keys">
              {keys.map((readKey) => (
                <ReadKeyItem
                  key={readKey.id}
                  readKey={readKey}
                  onRevoke={canEdit ? () => setRevoked(readKey) : undefined}
                />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      {isCreating && <NewReadKeyDialog params={params} onClose={close} />}
      {revoked !== undefined && (
        <RevokeDialog params={params} readKey={revoked} onClose={() => setRevoked(undefined)} />
      )}
    </SettingsSection>
  )
}

type RevokeProps = { params: ChannelParams; readKey: ReadKey; onClose: () => void }

function RevokeDialog({ params, readKey: { id, name }, onClose }: RevokeProps) {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      title={channelText.revokeTitle(name)}
      confirmLabel="Revoke key"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await api.deleteReadKey({ ...params, read_key_id: id })
        await reloadChannels(queryClient, params.application_id)
      }}
    >
      {channelText.revoke}
    </ConfirmDialog>
  )
}

function stateOf(readKey: ReadKey, now: number): 'revoked' | 'expired' | 'used up' | undefined {
  const { expires_at: expiresAt, max_downloads: max } = readKey
  if (readKey.revoked_at !== null) return 'revoked'
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'expired'
  return max !== null && readKey.download_count >= max ? 'used up' : undefined
}

type ItemProps = { readKey: ReadKey; onRevoke: (() => void) | undefined }

function ReadKeyItem({ readKey, onRevoke }: ItemProps) {
  const { name, prefix, cohort, expires_at: expiresAt, max_downloads: max, download_count: count } = readKey
  const state = stateOf(readKey, useNow())
  return (
    <Item
      leading={<IconKey size={18} />}
      isMuted={state !== undefined}
      title={
        <>
          {name}
          {state !== undefined && (
            <StateBadge tone={state === 'revoked' ? 'bad' : 'neutral'}>{state}</StateBadge>
          )}
        </>
      }
      detail={
        <>
          <code>{prefix}…</code>
          {cohort !== null && <span>Cohort {cohort}</span>}
          {expiresAt !== null && state === undefined && (
            <span>
              Expires <RelativeTime time={expiresAt} />
            </span>
          )}
        </>
      }
      end={max === null ? plural(count, 'download') : `${count} of ${plural(max, 'download')}`}
      menu={
        readKey.revoked_at === null &&
        onRevoke !== undefined && (
          <RowMenu label={`Actions for ${name}`}>
            <Menu.Item color="red" leftSection={<IconBan size={16} />} onClick={onRevoke}>
              Revoke
            </Menu.Item>
          </RowMenu>
        )
      }
    />
  )
}
