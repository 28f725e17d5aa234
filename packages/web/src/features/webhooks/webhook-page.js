import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Skeleton, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft, IconSend } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { useSession } from '../../api/session.ts';
import { usePageActions } from '../../frame/page-actions.ts';
import { eventTitle, formatNames } from '../../text/webhooks.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { LabelDot } from '../../ui/label-dot.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { useWebhookActions } from './use-webhook-actions.ts';
import { WebhookBanner } from './webhook-banner.tsx';
import { webhookName } from './webhook-health.ts';
import { WebhookMenu } from './webhook-menu.tsx';
import classes from './webhook-page.module.css';
import { webhookQuery, webhookRequestsKey } from './webhook.queries.ts';
const route = getRouteApi('/console/applications/$applicationId/webhooks/$webhookId');
/** The requests of a webhook, and the selected request in detail. */
export function WebhookPage() {
    const { applicationId, webhookId } = route.useParams();
    const { data: webhook, error, refetch } = useQuery(webhookQuery(applicationId, webhookId));
    useReloadOnProgress(webhook);
    return (_jsxs(_Fragment, { children: [_jsxs(Link, { to: "/applications/$applicationId/webhooks", params: { applicationId }, className: classes.back, children: [_jsx(IconArrowLeft, { size: 14 }), " Webhooks"] }), error !== null && webhook === undefined && (_jsx(FailureBanner, { error: error, onRetry: () => void refetch() })), webhook === undefined ? error === null && _jsx(PageShape, {}) : _jsx(LoadedPage, { webhook: webhook })] }));
}
function LoadedPage({ webhook }) {
    const { application_id: applicationId } = webhook;
    const search = route.useSearch();
    const navigate = route.useNavigate();
    const { can } = useSession();
    const { test } = useWebhookActions(webhook);
    const isPhone = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
    const canWrite = can('webhooks:write', applicationId);
    const { stream, label } = webhook.event_subscription;
    const sendTest = test.mutate;
    usePageActions(useMemo(() => (canWrite ? [{ id: 'test-webhook', label: 'Send a test', onClick: () => sendTest() }] : []), [canWrite, sendTest]));
    return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: webhookName(webhook), documentTitle: `${webhookName(webhook)} · Webhook`, facts: _jsxs("span", { className: classes.facts, children: [_jsx("span", { children: eventTitle(webhook.event) }), stream !== null && _jsxs("span", { children: ["in ", stream.name] }), label !== null && _jsx(LabelDot, { name: label.name, color: label.color }), _jsx("span", { children: formatNames[webhook.format] }), _jsx(Copyable, { value: webhook.url, label: "URL", mono: true })] }), actions: canWrite && (_jsxs(_Fragment, { children: [_jsx(WebhookMenu, { webhook: webhook, onDeleted: () => void navigate({
                                to: '/applications/$applicationId/webhooks',
                                params: { applicationId },
                            }) }), _jsx(Tooltip, { label: "Sends the most recent build or release", children: _jsx(Button, { leftSection: _jsx(IconSend, { size: 16 }), loading: test.isPending, onClick: () => sendTest(undefined, {
                                    onSuccess: ({ data }) => void navigate({ search: { request: data.id, state: undefined, event: undefined } }),
                                }), children: "Send a test" }) })] })) }), _jsx(WebhookBanner, { webhook: webhook, canWrite: canWrite }), _jsxs("div", { className: classes.panes, "data-detail": search.request !== undefined || undefined, children: [(!isPhone || search.request === undefined) && _jsx(DeliveryList, { webhook: webhook, canWrite: canWrite }), (!isPhone || search.request !== undefined) && (_jsx(DeliveryDetail, { webhook: webhook, requestId: search.request, canWrite: canWrite }))] })] }));
}
/** Reloads the requests when the webhook shows that one was queued, delivered or failed. */
function useReloadOnProgress(webhook) {
    const queryClient = useQueryClient();
    const progress = webhook &&
        [
            webhook.latest_webhook_request?.id,
            webhook.latest_webhook_request?.state,
            webhook.last_successful_request_at,
            webhook.last_failed_request_at,
        ].join(' ');
    const previous = useRef(progress);
    useEffect(() => {
        if (previous.current !== undefined && previous.current !== progress && webhook !== undefined)
            void queryClient.invalidateQueries({ queryKey: webhookRequestsKey(webhook.application_id, webhook.id) });
        previous.current = progress;
    }, [progress, queryClient, webhook]);
}
function PageShape() {
    return (_jsxs("div", { "aria-busy": true, children: [_jsx(Skeleton, { height: 28, width: "18rem", mb: 8 }), _jsx(Skeleton, { height: 16, width: "26rem", mb: 24 }), _jsxs("div", { className: classes.panes, children: [_jsx(Skeleton, { height: 420 }), _jsx(Skeleton, { height: 420 })] })] }));
}
