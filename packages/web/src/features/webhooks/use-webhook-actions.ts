import type { UpdateWebhookParams, Webhook } from '@quayside/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'
import { webhookText } from '../../text/webhooks.ts'
import { showDone, showFailure, showUndo } from '../../ui/toast.tsx'

type Changes = UpdateWebhookParams['body']

/** Returns the actions on a webhook. Each reloads what the screen shows about the webhooks of the application. */
export function useWebhookActions({ id, application_id, is_active: isActive }: Webhook) {
  const queryClient = useQueryClient()
  const target = { application_id, webhook_id: id }
  const reload = () => queryClient.invalidateQueries({ queryKey: applicationKey(application_id, 'webhooks') })
  const update = useMutation({
    mutationFn: (body: Changes) => api.updateWebhook({ ...target, body }),
    onSettled: reload,
  })
  const test = useMutation({
    mutationFn: () => api.testWebhook(target),
    onSuccess: () => showDone(webhookText.testQueued),
    onError: showFailure,
    onSettled: reload,
  })
  // Callbacks passed to `mutate` are not called after the row has disappeared.
  const setActive = (next: boolean) =>
    update
      .mutateAsync({ is_active: next })
      .then(() =>
        showUndo(next ? webhookText.switchedOn : webhookText.switchedOff, () =>
          update.mutateAsync({ is_active: !next }),
        ),
      )
      .catch(showFailure)
  return {
    isBusy: update.isPending || test.isPending,
    test,
    toggle: () => void setActive(!isActive),
    rotate: (secret: string) => update.mutateAsync({ secret }),
    remove: async () => {
      await api.deleteWebhook(target)
      showDone(webhookText.deleted)
    },
    reload,
  }
}
