import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { RepositoryKey } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { serviceUrl } from '../../api/browser.ts'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { repositoryKeyText } from '../../text/distribution/repository-keys.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconFingerprint, IconTrash } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { StateBadge } from '../../ui/status/state-badge.tsx'
import { showDone } from '../../ui/toast.tsx'
import { ReplaceKeyDialog } from './replace-key-dialog.tsx'
import { repositoryKeysQuery } from './repository-key.queries.ts'

/** The keys that sign package repositories. */
export function RepositoryKeysSection() {
  const query = useQuery(repositoryKeysQuery)
  const canEdit = useSession().can('workspace:write')
  const [isReplacing, { open, close }] = useDisclosure()
  const [deleting, setDeleting] = useState<RepositoryKey>()
  return (
    <SettingsSection
      title="Repository keys"
      description={
        <>
          {repositoryKeyText.section}{' '}
          <a href={`${serviceUrl}/docs/packages-apt#repository-keys`}>About repository keys</a>
        </>
      }
      action={canEdit && <Button onClick={open}>{repositoryKeyText.replace}</Button>}
    >
      <Loaded query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <EmptyState icon={<IconFingerprint size={22} />} title="No repository keys yet">
              {repositoryKeyText.none}
            </EmptyState>
          ) : (
            <ItemList label="Repository keys">
              {keys.map((key) => (
                <KeyItem
                  key={key.id}
                  repositoryKey={key}
                  onDelete={canEdit && !key.is_current ? () => setDeleting(key) : undefined}
                />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      {isReplacing && <ReplaceKeyDialog onClose={close} />}
      {deleting !== undefined && (
        <DeleteKeyDialog repositoryKey={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </SettingsSection>
  )
}

/** Returns the fingerprint in groups of four characters, as gpg prints it. */
const grouped = (fingerprint: string): string => fingerprint.toUpperCase().replaceAll(/(.{4})(?=.)/g, '$1 ')

type ItemProps = { repositoryKey: RepositoryKey; onDelete: (() => void) | undefined }

function KeyItem({ repositoryKey, onDelete }: ItemProps) {
  const { kind, fingerprint, is_current: isCurrent, is_imported: isImported } = repositoryKey
  return (
    <Item
      leading={<IconFingerprint size={18} />}
      isMuted={!isCurrent}
      title={
        <>
          <code>{grouped(fingerprint)}</code>
          <StateBadge tone={isCurrent ? 'good' : 'neutral'}>
            {isCurrent ? repositoryKeyText.current : repositoryKeyText.retired}
          </StateBadge>
        </>
      }
      detail={
        <>
          <span>{repositoryKeyText.kinds[kind]}</span>
          <span>{isImported ? repositoryKeyText.imported : repositoryKeyText.created}</span>
          <RelativeTime time={repositoryKey.created_at} />
          {repositoryKey.retires_at !== null && (
            <span>
              signs until <RelativeTime time={repositoryKey.retires_at} />
            </span>
          )}
        </>
      }
      menu={
        onDelete !== undefined && (
          <RowMenu label={`Actions for ${grouped(fingerprint)}`}>
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={onDelete}>
              {repositoryKeyText.delete}
            </Menu.Item>
          </RowMenu>
        )
      }
    />
  )
}

function DeleteKeyDialog({ repositoryKey, onClose }: { repositoryKey: RepositoryKey; onClose: () => void }) {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      title={repositoryKeyText.deleteTitle}
      confirmLabel={repositoryKeyText.delete}
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        const { message } = await api.deleteRepositoryKey({ repository_key_id: repositoryKey.id })
        showDone(message)
        await queryClient.invalidateQueries(repositoryKeysQuery)
      }}
    >
      {repositoryKeyText.deleteHint}
    </ConfirmDialog>
  )
}
