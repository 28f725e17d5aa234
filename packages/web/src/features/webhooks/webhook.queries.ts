import type { SingleWebhook, WebhookEvent, WebhookRequest } from '@quayside/sdk'
import { allItems } from '@quayside/sdk'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { pageByPage } from '../../api/next-page.ts'
import { applicationKey } from '../../api/query-keys.ts'

const requestsPerPage = 30
// The event stream reports the builds and releases that cause requests, but not the delivery of requests. The webhook is
// therefore also read again while its page is visible, more often while a request is being delivered.
const pollMs = 3_000
const pollWhileWaitingMs = 1_000

export const webhooksQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'webhooks', 'list'),
    queryFn: ({ signal }) =>
      allItems((page) =>
        api.listWebhooks({ application_id: applicationId, page, per_page: 100 }, { signal }),
      ),
    refetchInterval: 10_000,
  })

/** A webhook with its latest request. */
export const webhookQuery = (applicationId: string, webhookId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'webhooks', 'one', webhookId),
    queryFn: async ({ signal }) =>
      (await api.getWebhook({ application_id: applicationId, webhook_id: webhookId }, { signal })).data,
    refetchInterval: ({ state: { data } }) =>
      data?.latest_webhook_request?.state === 'waiting' ? pollWhileWaitingMs : pollMs,
  })

export type RequestFilter = { state?: WebhookRequest['state'] | undefined; event?: WebhookEvent | undefined }

export const webhookRequestsKey = (applicationId: string, webhookId: string) =>
  applicationKey(applicationId, 'webhooks', 'requests', webhookId)

/** The requests of a webhook, newest first. */
export const webhookRequestsQuery = (
  applicationId: string,
  webhookId: string,
  { state, event }: RequestFilter,
) =>
  infiniteQueryOptions({
    queryKey: [...webhookRequestsKey(applicationId, webhookId), 'list', state, event],
    queryFn: ({ pageParam, signal }) =>
      api.listWebhookRequests(
        {
          application_id: applicationId,
          webhook_id: webhookId,
          ...(state === undefined ? {} : { state }),
          ...(event === undefined ? {} : { event }),
          sort: 'desc',
          page: pageParam,
          per_page: requestsPerPage,
        },
        { signal },
      ),
    ...pageByPage,
    placeholderData: keepPreviousData,
  })

/** A request with the body that was sent. */
export const webhookRequestQuery = (applicationId: string, webhookId: string, requestId: string) =>
  queryOptions({
    queryKey: [...webhookRequestsKey(applicationId, webhookId), 'one', requestId],
    queryFn: async ({ signal }) =>
      (
        await api.getWebhookRequest(
          { application_id: applicationId, webhook_id: webhookId, webhook_request_id: requestId },
          { signal },
        )
      ).data,
  })

/** What a test of a webhook with this event and format would send. */
export const webhookSampleQuery = (
  applicationId: string,
  event: WebhookEvent,
  format: SingleWebhook['format'],
) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'webhooks', 'sample', event, format),
    queryFn: async ({ signal }) =>
      (await api.getWebhookSample({ application_id: applicationId, event, format }, { signal })).data,
    placeholderData: keepPreviousData,
  })
