import { allItems } from '@quayside/sdk';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
const requestsPerPage = 30;
/** Requests cause no live updates, so the webhook is read again while its page is visible. */
const pollMs = 3000;
const webhooksKey = (applicationId) => ['applications', applicationId, 'webhooks'];
export const webhooksQuery = (applicationId) => queryOptions({
    queryKey: [...webhooksKey(applicationId), 'list'],
    queryFn: ({ signal }) => allItems((page) => api.listWebhooks({ application_id: applicationId, page, per_page: 100 }, { signal })),
    refetchInterval: 10000,
});
/** A webhook with its latest request. Read again every few seconds while the page is visible. */
export const webhookQuery = (applicationId, webhookId) => queryOptions({
    queryKey: [...webhooksKey(applicationId), 'one', webhookId],
    queryFn: async ({ signal }) => (await api.getWebhook({ application_id: applicationId, webhook_id: webhookId }, { signal })).data,
    refetchInterval: pollMs,
});
export const webhookRequestsKey = (applicationId, webhookId) => [
    ...webhooksKey(applicationId),
    'requests',
    webhookId,
];
/** The requests of a webhook, newest first. */
export const webhookRequestsQuery = (applicationId, webhookId, { state, event }) => infiniteQueryOptions({
    queryKey: [...webhookRequestsKey(applicationId, webhookId), 'list', state, event],
    queryFn: ({ pageParam, signal }) => api.listWebhookRequests({
        application_id: applicationId,
        webhook_id: webhookId,
        ...(state === undefined ? {} : { state }),
        ...(event === undefined ? {} : { event }),
        sort: 'desc',
        page: pageParam,
        per_page: requestsPerPage,
    }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { current_page: current, last_page: last } }) => current < last ? current + 1 : undefined,
    placeholderData: keepPreviousData,
});
/** A request with the body that was sent. */
export const webhookRequestQuery = (applicationId, webhookId, requestId) => queryOptions({
    queryKey: [...webhookRequestsKey(applicationId, webhookId), 'one', requestId],
    queryFn: async ({ signal }) => (await api.getWebhookRequest({ application_id: applicationId, webhook_id: webhookId, webhook_request_id: requestId }, { signal })).data,
});
/** What a test of a webhook with this event and format would send. */
export const webhookSampleQuery = (applicationId, event, format) => queryOptions({
    queryKey: [...webhooksKey(applicationId), 'sample', event, format],
    queryFn: async ({ signal }) => (await api.getWebhookSample({ application_id: applicationId, event, format }, { signal })).data,
    placeholderData: keepPreviousData,
});
