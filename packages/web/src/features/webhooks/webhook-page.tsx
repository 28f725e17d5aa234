import { Button, Skeleton } from '@mantine/core'
import type { SingleWebhook } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { useSession } from '../../api/session.ts'
import { usePageActions } from '../../frame/page-actions.ts'
import { QueryFailure } from '../../frame/query-failure.tsx'
import { eventTitle } from '../../text/webhook-events.ts'
import { formatNames } from '../../text/webhooks.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Hint } from '../../ui/hint.tsx'
import { IconSend } from '../../ui/icons/icons.ts'
import { BackLink } from '../../ui/navigation/back-link.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { LabelDot } from '../../ui/status/label-dot.tsx'
import { useIsNarrow } from '../../ui/use-is-narrow.ts'
import { DeliveryDetail } from './deliveries/delivery-detail.tsx'
import { DeliveryList } from './deliveries/delivery-list.tsx'
import { useWebhookActions } from './use-webhook-actions.ts'
import { WeakSecretBanner, WebhookBanner } from './webhook-banner.tsx'
import { webhookName } from './webhook-health.ts'
import { WebhookMenu } from './webhook-menu.tsx'
import classes from './webhook-page.module.css'
import { webhookQuery, webhookRequestsKey } from './webhook.queries.ts'

const route = getRouteApi('/console/applications/$applicationId/webhooks/$webhookId')

/** The requests of a webhook, and the selected request in detail. */
export function WebhookPage() {
  const { applicationId, webhookId } = route.useParams()
  const query = useQuery(webhookQuery(applicationId, webhookId))
  const { data: webhook } = query
  useReloadOnProgress(webhook)
  if (query.error !== null) return <QueryFailure query={query} />
  return (
    <>
      <BackLink to="/applications/$applicationId/webhooks" params={{ applicationId }}>
        Webhooks
      </BackLink>
      {webhook === undefined ? <PageShape /> : <LoadedPage webhook={webhook} />}
    </>
  )
}

function LoadedPage({ webhook }: { webhook: SingleWebhook }) {
  const { application_id: applicationId } = webhook
  const navigate = route.useNavigate()
  const { can } = useSession()
  const { test } = useWebhookActions(webhook)
  const canWrite = can('webhooks:write', applicationId)
  const sendTest = test.mutate
  usePageActions(
    useMemo(
      () => (canWrite ? [{ id: 'test-webhook', label: 'Send a test', onClick: () => sendTest() }] : []),
      [canWrite, sendTest],
    ),
  )
  return (
    <>
      <PageHeader
        title={webhookName(webhook)}
        documentTitle={`Webhook ${webhookName(webhook)}`}
        facts={<WebhookFacts webhook={webhook} />}
        actions={
          canWrite && (
            <>
              <Hint label="Sends the most recent build or release">
                <Button
                  leftSection={<IconSend size={16} />}
                  loading={test.isPending}
                  onClick={() =>
                    sendTest(undefined, {
                      onSuccess: ({ data }) =>
                        void navigate({ search: { request: data.id, state: undefined, event: undefined } }),
                    })
                  }
                >
                  Send a test
                </Button>
              </Hint>
              <WebhookMenu
                webhook={webhook}
                isOfPage
                onDeleted={() =>
                  void navigate({
                    to: '/applications/$applicationId/webhooks',
                    params: { applicationId },
                  })
                }
              />
            </>
          )
        }
      />
      <WeakSecretBanner webhook={webhook} />
      <WebhookBanner webhook={webhook} canWrite={canWrite} />
      <RequestPanes webhook={webhook} canWrite={canWrite} />
    </>
  )
}

function WebhookFacts({ webhook }: { webhook: SingleWebhook }) {
  const { stream, label } = webhook.event_subscription
  return (
    <span className={classes.facts}>
      <span>{eventTitle(webhook.event)}</span>
      {stream !== null && <span>in {stream.name}</span>}
      {label !== null && <LabelDot name={label.name} color={label.color} />}
      <span>{formatNames[webhook.format]}</span>
      <Copyable value={webhook.url} label="URL" mono />
    </span>
  )
}

/** The requests beside the selected one or, on phones, one of the two. */
function RequestPanes({ webhook, canWrite }: { webhook: SingleWebhook; canWrite: boolean }) {
  const search = route.useSearch()
  const isPhone = useIsNarrow('62em')
  return (
    <div className={classes.panes} data-detail={search.request !== undefined || undefined}>
      {(!isPhone || search.request === undefined) && <DeliveryList webhook={webhook} canWrite={canWrite} />}
      {(!isPhone || search.request !== undefined) && (
        <DeliveryDetail webhook={webhook} requestId={search.request} canWrite={canWrite} />
      )}
    </div>
  )
}

/** Reloads the requests when the webhook shows that one was queued, delivered or failed. */
function useReloadOnProgress(webhook: SingleWebhook | undefined): void {
  const queryClient = useQueryClient()
  const progress =
    webhook &&
    [
      webhook.latest_webhook_request?.id,
      webhook.latest_webhook_request?.state,
      webhook.last_successful_request_at,
      webhook.last_failed_request_at,
    ].join(' ')
  const previous = useRef(progress)
  useEffect(() => {
    if (previous.current !== undefined && previous.current !== progress && webhook !== undefined)
      void queryClient.invalidateQueries({ queryKey: webhookRequestsKey(webhook.application_id, webhook.id) })
    previous.current = progress
  }, [progress, queryClient, webhook])
}

function PageShape() {
  return (
    <div aria-busy>
      <Skeleton height={28} width="18rem" mb={8} />
      <Skeleton height={16} width="26rem" mb={24} />
      <div className={classes.panes}>
        <Skeleton height={420} />
        <Skeleton height={420} />
      </div>
    </div>
  )
}
