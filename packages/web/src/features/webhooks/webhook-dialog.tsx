import { useForm } from '@mantine/form'
import type { SingleWebhook, Webhook } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'
import { webhookText } from '../../text/webhooks.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { showDone } from '../../ui/toast.tsx'
import { SamplePreview } from './sample-preview.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { generateSecret } from './signature.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { fieldsOf, isSigned, type WebhookForm } from './webhook-form.ts'

type Props = { applicationId: string; webhook?: Webhook; onClose: () => void }

/** Creates or edits a webhook, with a preview of what it sends. A generated secret is shown once afterwards. */
export function WebhookDialog({ applicationId, webhook, onClose }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [created, setCreated] = useState<{ webhook: SingleWebhook; secret: string }>()
  const form = useForm<WebhookForm>({ initialValues: fieldsOf(webhook) })
  async function save(values: WebhookForm): Promise<void> {
    const { url, event, format, stream, label } = values
    const secret = secretFor(values)
    const body = { url, event, format, stream, label, description: values.description || null }
    const { data } =
      webhook === undefined
        ? await api.createWebhook({
            application_id: applicationId,
            body: { ...body, ...(secret === undefined ? {} : { secret }) },
          })
        : await api.updateWebhook({ application_id: applicationId, webhook_id: webhook.id, body })
    await queryClient.invalidateQueries({ queryKey: applicationKey(applicationId, 'webhooks') })
    if (webhook === undefined && secret !== undefined && values.secretKind === 'generated')
      return setCreated({ webhook: data, secret })
    finish(data)
  }
  const finish = (saved: SingleWebhook) => {
    onClose()
    showDone(webhook === undefined ? webhookText.created : webhookText.saved)
    if (webhook === undefined)
      void navigate({
        to: '/applications/$applicationId/webhooks/$webhookId',
        params: { applicationId, webhookId: saved.id },
      })
  }
  if (created !== undefined)
    return <SecretDialog secret={created.secret} onClose={() => finish(created.webhook)} />
  const { event, format } = form.values
  return (
    <FormDialog
      title={webhook === undefined ? 'New webhook' : 'Edit webhook'}
      submitLabel={webhook === undefined ? 'Create webhook' : 'Save'}
      size="62rem"
      form={form}
      onSubmit={save}
      onClose={onClose}
      aside={<SamplePreview applicationId={applicationId} event={event} format={format} />}
    >
      <WebhookFields applicationId={applicationId} form={form} isNew={webhook === undefined} />
    </FormDialog>
  )
}

function secretFor(values: WebhookForm): string | undefined {
  if (!isSigned(values)) return undefined
  return values.secretKind === 'generated' ? generateSecret() : values.secret
}
