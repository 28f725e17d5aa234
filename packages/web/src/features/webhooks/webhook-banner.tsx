import { Button } from '@mantine/core'
import type { Webhook } from '@quayside/sdk'
import { useState } from 'react'
import { webhookText } from '../../text/webhooks.ts'
import { useNow } from '../../ui/format/now.ts'
import { Notice } from '../../ui/notice.tsx'
import { RedeliverDialog } from './deliveries/redeliver-dialog.tsx'
import { useWebhookActions } from './use-webhook-actions.ts'
import { healthOf } from './webhook-health.ts'

type Props = { webhook: Webhook; canWrite: boolean }

/** Asks for a new secret. Hidden unless the current one can be guessed. */
export function WeakSecretBanner({ webhook }: Pick<Props, 'webhook'>) {
  if (!webhook.secret_is_weak) return null
  return (
    <Notice kind="warn" title="Weak secret" mb="md">
      {webhookText.weakSecret}
    </Notice>
  )
}

/** Says why requests do not arrive and offers what helps. Hidden while they arrive. */
export function WebhookBanner({ webhook, canWrite }: Props) {
  const [isRedelivering, setIsRedelivering] = useState(false)
  const { toggle, isBusy } = useWebhookActions(webhook)
  const { tone, label, detail } = healthOf(webhook, useNow())
  if (tone !== 'off' && tone !== 'bad' && tone !== 'warn') return null
  const isOff = tone === 'off'
  const texts = { off: webhookText.inactive, bad: webhookText.inErrorState, warn: webhookText.failing }
  const state = webhook.failing_since === null ? `${label} · ${detail}` : `${label} ${detail}`
  return (
    <>
      <Notice
        mb="md"
        kind={tone}
        title={isOff ? 'This webhook is off' : state}
        action={
          <>
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
          </>
        }
      >
        {texts[tone]}
      </Notice>
      {isRedelivering && <RedeliverDialog webhook={webhook} onClose={() => setIsRedelivering(false)} />}
    </>
  )
}
