import { Button, Menu, Stack, Text } from '@mantine/core'
import type { CreatedScimToken, ScimSettings } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { serviceUrl } from '../../../api/browser.ts'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { scimText } from '../../../text/members/scim.ts'
import { CommandLine } from '../../../ui/command-line.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { DoneDialog } from '../../../ui/forms/done-dialog.tsx'
import { SettingsSection } from '../../../ui/forms/settings-section.tsx'
import { IconKey, IconRefresh, IconTrash } from '../../../ui/icons/icons.ts'
import { Item, ItemList } from '../../../ui/item-list.tsx'
import { Loaded } from '../../../ui/loading/loaded.tsx'
import { RowMenu } from '../../../ui/menu/row-menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { showDone, showFailure } from '../../../ui/toast.tsx'
import { scimQuery } from './scim.queries.ts'

type Dialog = 'replace' | 'revoke' | CreatedScimToken

/** The connection to an identity provider that manages members and teams. */
export function ScimSection() {
  const query = useQuery(scimQuery)
  const queryClient = useQueryClient()
  const isOwner = useSession().role === 'owner'
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const reload = () => queryClient.invalidateQueries({ queryKey: scimQuery.queryKey })
  async function create(): Promise<void> {
    const { data } = await api.createScimToken({})
    setDialog(data)
    await reload()
  }
  return (
    <SettingsSection
      title="SCIM"
      description={
        <>
          {scimText.section} <a href={`${serviceUrl}/docs/provisioning`}>About provisioning</a>
        </>
      }
    >
      <Loaded query={query}>
        {(settings) =>
          settings.token === null ? (
            <EmptyState
              icon={<IconRefresh size={22} />}
              title="No identity provider connected"
              action={isOwner ? <CreateButton onCreate={create} /> : undefined}
            >
              {isOwner ? scimText.none : scimText.noneForAdmins}
            </EmptyState>
          ) : (
            <Connection settings={settings} onSelect={isOwner ? setDialog : undefined} />
          )
        }
      </Loaded>
      {typeof dialog === 'object' && (
        <DoneDialog title="SCIM token" onClose={close} size="lg" keepsOpen="on outside click">
          <Notice kind="warn" icon={<IconKey size={18} />}>
            {scimText.shownOnce}
          </Notice>
          <CommandLine code={dialog.token} label="SCIM token" />
          <Text fz="sm">{scimText.baseUrl}</Text>
          <CommandLine code={dialog.base_url} label="base URL" />
        </DoneDialog>
      )}
      {dialog === 'replace' && (
        <ConfirmDialog
          title={scimText.replaceTitle}
          confirmLabel="Replace token"
          isDangerous
          onConfirm={create}
          onClose={() => setDialog((shown) => (shown === 'replace' ? undefined : shown))}
        >
          {scimText.replace}
        </ConfirmDialog>
      )}
      {dialog === 'revoke' && (
        <ConfirmDialog
          title={scimText.revokeTitle}
          confirmLabel="Revoke token"
          isDangerous
          onConfirm={async () => {
            showDone((await api.deleteScimToken({})).message)
            await reload()
          }}
          onClose={close}
        >
          {scimText.revoke}
        </ConfirmDialog>
      )}
    </SettingsSection>
  )
}

function CreateButton({ onCreate }: { onCreate: () => Promise<void> }) {
  const [isCreating, setIsCreating] = useState(false)
  return (
    <Button
      loading={isCreating}
      onClick={() => {
        setIsCreating(true)
        void onCreate()
          .catch(showFailure)
          .finally(() => setIsCreating(false))
      }}
    >
      Create token
    </Button>
  )
}

type ConnectionProps = {
  settings: ScimSettings
  onSelect: ((dialog: 'replace' | 'revoke') => void) | undefined
}

function Connection({
  settings: { token, base_url: baseUrl, user_count: count },
  onSelect,
}: ConnectionProps) {
  if (token === null) return null
  return (
    <Stack>
      <Stack gap={6}>
        <Text fz="sm" fw={500}>
          Base URL
        </Text>
        <CommandLine code={baseUrl} label="base URL" />
      </Stack>
      <Stack gap={6}>
        <Text fz="sm" fw={500}>
          Token
        </Text>
        <ItemList label="SCIM token">
          <Item
            leading={<IconKey size={18} />}
            title={<code>{token.prefix}…</code>}
            detail={
              <>
                <span>
                  created by {token.created_by} <RelativeTime time={token.created_at} />
                </span>
                {token.last_used_at === null ? (
                  <span>{scimText.neverUsed}</span>
                ) : (
                  <span>
                    used <RelativeTime time={token.last_used_at} />
                  </span>
                )}
                <span>{scimText.managed(count)}</span>
              </>
            }
            menu={
              onSelect !== undefined && (
                <RowMenu label="SCIM token actions">
                  <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => onSelect('replace')}>
                    Replace token
                  </Menu.Item>
                  <Menu.Item
                    color="red"
                    leftSection={<IconTrash size={16} />}
                    onClick={() => onSelect('revoke')}
                  >
                    Revoke token
                  </Menu.Item>
                </RowMenu>
              )
            }
          />
        </ItemList>
      </Stack>
      {onSelect === undefined && (
        <Text fz="sm" c="dimmed">
          {scimText.ownersOnly}
        </Text>
      )}
    </Stack>
  )
}
