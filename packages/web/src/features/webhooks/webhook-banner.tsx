import { Alert, Button, Group } from '@mantine/core'
import type { Webhook } from '@quayside/sdk'
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react'
import { useState } from 'react'
import { webhookText } from '../../text/webhooks.ts'
import { useNow } from '../../ui/now.ts'
import { RedeliverDialog } from './redeliver-dialog.tsx'
import { useWebhookActions } from './use-webhook-actions.ts'
import { healthOf } from './webhook-health.ts'

type Props = { webhook: Webhook; canWrite: boolean }

/** Says why requests do not arrive and offers what helps. Hidden while they arrive. */
export function WebhookBanner({ webhook, canWrite }: Props) {
  const [isRedelivering, setIsRedelivering] = useState(false)
  const { toggle, isBusy } = useWebhookActions(webhook)
  const { tone, label, detail } = healthOf(webhook, useNow())
  if (tone !== 'off' && tone !== 'bad' && tone !== 'warn') return null
  const isOff = tone === 'off'
  const texts = { off: webhookText.inactive, bad: webhookText.inErrorState, warn: webhookText.failing }
  return (
    <Alert
      mb="md"
      color={isOff ? 'gray' : tone === 'bad' ? 'red' : 'yellow'}
      icon={isOff ? <IconPlayerPause size={18} /> : <IconAlertTriangle size={18} />}
      title={isOff ? 'This webhook is off' : `${label} · ${detail}`}
    >
      <Group justify="space-between" gap="sm">
        <span>{texts[tone]}</span>
        {canWrite && isOff && (
          <Button size="xs" variant="default" loading={isBusy} onClick={toggle}>
            Switch on
          </Button>
        )}
        {canWrite && tone === 'bad' && (
          <Button size="xs" variant="default" onClick={() => setIsRedelivering(true)}>
            Redeliver failed requests
          </Button>
        )}
      </Group>
      {isRedelivering && <RedeliverDialog webhook={webhook} onClose={() => setIsRedelivering(false)} />}
    </Alert>
  )
}
