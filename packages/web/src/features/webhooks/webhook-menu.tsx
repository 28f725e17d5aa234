import { Menu } from '@mantine/core'
import type { Webhook } from '@quayside/sdk'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { confirmText } from '../../text/confirmations.ts'
import { webhookText } from '../../text/webhooks.ts'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import {
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '../../ui/icons/icons.ts'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { generateSecret } from './signature.ts'
import { useWebhookActions } from './use-webhook-actions.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { webhookName } from './webhook-health.ts'

type Opened = 'edit' | 'rotate' | 'delete' | { secret: string } | undefined

type Props = { webhook: Webhook; isOfPage?: boolean; onDeleted?: () => void }

/** Everything that can be done with a webhook. Empty for people who may only read it. */
export function WebhookMenu({ webhook, isOfPage = false, onDeleted }: Props) {
  const { can } = useSession()
  const { toggle, test, rotate, remove, reload } = useWebhookActions(webhook)
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  if (!can('webhooks:write', webhook.application_id)) return null
  const name = webhookName(webhook)
  return (
    <>
      <RowMenu label={`Actions for ${name}`} isOfPage={isOfPage}>
        <WebhookMenuItems
          webhook={webhook}
          onTest={() => test.mutate()}
          onToggle={toggle}
          onOpen={setOpened}
        />
      </RowMenu>
      {opened === 'edit' && (
        <WebhookDialog applicationId={webhook.application_id} webhook={webhook} onClose={close} />
      )}
      {opened === 'rotate' && (
        <ConfirmDialog
          title={webhook.secret_configured ? 'Rotate the secret' : 'Add a secret'}
          confirmLabel="Generate a secret"
          onConfirm={async () => {
            const secret = generateSecret()
            await rotate(secret)
            setOpened({ secret })
          }}
          // The dialog also closes after it has succeeded, when the secret is already shown.
          onClose={() => setOpened((current) => (current === 'rotate' ? undefined : current))}
        >
          {webhookText.rotate} {webhook.secret_configured && webhookText.rotation}
        </ConfirmDialog>
      )}
      {opened === 'delete' && (
        <ConfirmDialog
          title={confirmText.delete(name)}
          confirmLabel="Delete webhook"
          isDangerous
          onConfirm={async () => {
            await remove()
            onDeleted?.()
            await reload()
          }}
          onClose={close}
        >
          {webhookText.deleteWebhook}
        </ConfirmDialog>
      )}
      {typeof opened === 'object' && <SecretDialog secret={opened.secret} onClose={close} />}
    </>
  )
}

type ItemsProps = {
  webhook: Webhook
  onTest: () => void
  onToggle: () => void
  onOpen: (opened: Opened) => void
}

function WebhookMenuItems({ webhook, onTest, onToggle, onOpen }: ItemsProps) {
  return (
    <>
      <Menu.Item leftSection={<IconSend size={15} />} onClick={onTest}>
        Send a test
      </Menu.Item>
      <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => onOpen('edit')}>
        Edit
      </Menu.Item>
      <Menu.Item leftSection={<IconKey size={15} />} onClick={() => onOpen('rotate')}>
        {webhook.secret_configured ? 'Rotate the secret' : 'Add a secret'}
      </Menu.Item>
      <Menu.Item
        leftSection={webhook.is_active ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
        onClick={onToggle}
      >
        {webhook.is_active ? 'Switch off' : 'Switch on'}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => onOpen('delete')}>
        Delete
      </Menu.Item>
    </>
  )
}
