import { Button, Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasPasskeys } from '../../api/passkeys.ts'
import { callSignIn } from '../../api/sign-in.ts'
import { accountText } from '../../text/account.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconFingerprint, IconPlus } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { showDone } from '../../ui/toast.tsx'
import { passkeysQuery, type Passkey } from './account.queries.ts'
import { AddPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'

type Open = { dialog: 'add' } | { dialog: 'rename' | 'delete'; passkey: Passkey }

/** Adds, renames and deletes passkeys. */
export function PasskeySettings() {
  const query = useQuery(passkeysQuery)
  const [open, setOpen] = useState<Open>()
  const add = (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} />}
      onClick={() => setOpen({ dialog: 'add' })}
      disabled={!hasPasskeys}
      title={hasPasskeys ? undefined : accountText.noPasskeys}
    >
      Add a passkey
    </Button>
  )
  return (
    <SettingsSection title="Passkeys" description={accountText.passkeys} action={add}>
      <Loaded query={query} rows={1}>
        {(passkeys) =>
          passkeys.length === 0 ? (
            <EmptyState icon={<IconFingerprint size={22} />} title="No passkeys">
              {accountText.passkeysEmpty}
            </EmptyState>
          ) : (
            <ItemList label="Passkeys">
              {passkeys.map((passkey) => (
                <PasskeyItem key={passkey.id} passkey={passkey} onOpen={setOpen} />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      {open !== undefined && <PasskeyDialog open={open} onClose={() => setOpen(undefined)} />}
    </SettingsSection>
  )
}

function PasskeyItem({ passkey, onOpen }: { passkey: Passkey; onOpen: (open: Open) => void }) {
  return (
    <Item
      leading={<IconFingerprint size={20} />}
      title={passkey.name ?? 'Passkey'}
      detail={
        <>
          <span>
            Added <RelativeTime time={passkey.createdAt} />
          </span>
          <span>{passkey.backedUp ? 'Synced between devices' : 'On one device'}</span>
        </>
      }
      menu={
        <RowMenu label={`Actions for ${passkey.name ?? 'passkey'}`}>
          <Menu.Item onClick={() => onOpen({ dialog: 'rename', passkey })}>Rename</Menu.Item>
          <Menu.Item color="red" onClick={() => onOpen({ dialog: 'delete', passkey })}>
            Delete
          </Menu.Item>
        </RowMenu>
      }
    />
  )
}

function PasskeyDialog({ open, onClose }: { open: Open; onClose: () => void }) {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey })
  async function remove({ id }: Passkey): Promise<void> {
    await callSignIn('/passkey/delete-passkey', { id })
    await refresh()
    showDone(accountText.passkeyDeleted)
  }
  return (
    <>
      {open.dialog === 'add' && <AddPasskeyDialog onClose={onClose} onDone={refresh} />}
      {open.dialog === 'rename' && (
        <RenamePasskeyDialog passkey={open.passkey} onClose={onClose} onDone={refresh} />
      )}
      {open.dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete ${open.passkey.name ?? 'the passkey'}`}
          confirmLabel="Delete passkey"
          isDangerous
          onConfirm={() => remove(open.passkey)}
          onClose={onClose}
        >
          {accountText.deletePasskey}
        </ConfirmDialog>
      )}
    </>
  )
}
