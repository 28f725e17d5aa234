import { Button, Group, Modal } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { SingleWebhook, Webhook } from '@quayside/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { fieldErrorsOf } from '../../api/errors.ts'
import { FailureBanner } from '../../ui/failure-banner.tsx'
import { showDone } from '../../ui/toast.tsx'
import { SamplePreview } from './sample-preview.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { generateSecret } from './signature.ts'
import classes from './webhook-dialog.module.css'
import { WebhookFields } from './webhook-fields.tsx'
import { fieldsOf, isSigned, type WebhookForm } from './webhook-form.ts'

type Props = { applicationId: string; webhook?: Webhook; onClose: () => void }

/** Creates or edits a webhook, with a preview of what it sends. A generated secret is shown once afterwards. */
export function WebhookDialog({ applicationId, webhook, onClose }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [created, setCreated] = useState<{ webhook: SingleWebhook; secret: string }>()
  const form = useForm<WebhookForm>({ initialValues: fieldsOf(webhook) })
  const save = useMutation({
    mutationFn: async ({ values, secret }: { values: WebhookForm; secret: string | undefined }) => {
      const { url, event, format, stream, label } = values
      const body = { url, event, format, stream, label, description: values.description || null }
      return webhook === undefined
        ? api.createWebhook({
            application_id: applicationId,
            body: { ...body, ...(secret === undefined ? {} : { secret }) },
          })
        : api.updateWebhook({ application_id: applicationId, webhook_id: webhook.id, body })
    },
    onSuccess: async ({ data }, { secret }) => {
      await queryClient.invalidateQueries({ queryKey: ['applications', applicationId, 'webhooks'] })
      if (webhook === undefined && secret !== undefined && form.values.secretKind === 'generated')
        return setCreated({ webhook: data, secret })
      finish(data)
    },
    onError: (error) => form.setErrors(fieldErrorsOf(error)),
  })
  const finish = (saved: SingleWebhook) => {
    onClose()
    showDone(webhook === undefined ? 'Webhook created.' : 'Webhook saved.')
    if (webhook === undefined)
      void navigate({
        to: '/applications/$applicationId/webhooks/$webhookId',
        params: { applicationId, webhookId: saved.id },
      })
  }
  if (created !== undefined)
    return <SecretDialog secret={created.secret} onClose={() => finish(created.webhook)} />
  const { event, format } = form.values
  const unplaced = save.error !== null && Object.keys(fieldErrorsOf(save.error)).length === 0
  return (
    <Modal
      opened
      onClose={onClose}
      title={webhook === undefined ? 'New webhook' : 'Edit webhook'}
      size="62rem"
      classNames={{ body: classes.body }}
    >
      <form
        className={classes.columns}
        onSubmit={form.onSubmit((values) => save.mutate({ values, secret: secretFor(values) }))}
      >
        <div className={classes.fields}>
          <WebhookFields applicationId={applicationId} form={form} isNew={webhook === undefined} />
          {unplaced && <FailureBanner error={save.error} />}
          <Group justify="flex-end" gap="xs" className={classes.buttons}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              {webhook === undefined ? 'Create webhook' : 'Save'}
            </Button>
          </Group>
        </div>
        <SamplePreview applicationId={applicationId} event={event} format={format} />
      </form>
    </Modal>
  )
}

function secretFor(values: WebhookForm): string | undefined {
  if (!isSigned(values)) return undefined
  return values.secretKind === 'generated' ? generateSecret() : values.secret
}
