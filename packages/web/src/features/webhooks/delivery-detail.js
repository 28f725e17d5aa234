import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, CopyButton, Group, Skeleton, Tabs, Text } from '@mantine/core';
import { IconArrowLeft, IconCheck, IconRefresh, IconShieldCheck, IconTerminal2 } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { eventTitle, stateNames, webhookText } from '../../text/webhooks.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { absoluteTime } from '../../ui/time.ts';
import { AttemptTimeline } from './attempt-timeline.tsx';
import { curlCommand } from './curl-command.ts';
import classes from './delivery-detail.module.css';
import { StateIcon } from './delivery-row.tsx';
import { subjectOf } from './delivery.ts';
import { MessageView } from './message-view.tsx';
import { SignatureChecker } from './signature-checker.tsx';
import { useRedeliver } from './use-redeliver.ts';
import { webhookRequestQuery } from './webhook.queries.ts';
const route = getRouteApi('/console/applications/$applicationId/webhooks/$webhookId');
/** What was sent, what the receiver responded, and each attempt. */
export function DeliveryDetail({ webhook, requestId, canWrite }) {
    const { application_id: applicationId, id: webhookId } = webhook;
    const { data, error, refetch } = useQuery({
        ...webhookRequestQuery(applicationId, webhookId, requestId ?? ''),
        enabled: requestId !== undefined,
        placeholderData: keepPreviousData,
    });
    if (requestId === undefined)
        return (_jsx("div", { className: classes.hint, children: _jsx(Text, { c: "dimmed", children: webhookText.selectDelivery }) }));
    return (_jsxs("section", { className: classes.pane, "aria-label": "Request", children: [_jsxs(Link, { to: "/applications/$applicationId/webhooks/$webhookId", params: { applicationId, webhookId }, search: (previous) => ({ ...previous, request: undefined }), className: classes.back, children: [_jsx(IconArrowLeft, { size: 14 }), " All requests"] }), error !== null && _jsx(FailureBanner, { error: error, onRetry: () => void refetch() }), data === undefined
                ? error === null && _jsx(Skeleton, { height: 420, radius: "lg" })
                : error === null && _jsx(Loaded, { webhook: webhook, request: data, canWrite: canWrite })] }));
}
function Loaded({ webhook, request, canWrite }) {
    const navigate = route.useNavigate();
    const redeliver = useRedeliver(webhook);
    const [isChecking, setIsChecking] = useState(false);
    const [tab, setTab] = useState('response');
    const isSigned = 'webhook-signature' in request.request_headers;
    const hasBeenSent = Object.keys(request.request_headers).length > 0;
    return (_jsxs(_Fragment, { children: [_jsxs("header", { className: classes.head, children: [_jsx(StateIcon, { state: request.state, size: 20 }), _jsxs("div", { className: classes.title, children: [_jsx("h2", { children: subjectOf(request) ?? eventTitle(request.event) }), _jsxs("span", { className: classes.soft, children: [stateNames[request.state], " \u00B7 ", eventTitle(request.event), " \u00B7 ", absoluteTime(request.created_at)] })] }), _jsxs(Group, { gap: "xs", children: [isSigned && (_jsx(Button, { size: "xs", variant: "default", leftSection: _jsx(IconShieldCheck, { size: 14 }), onClick: () => setIsChecking(true), children: "Check signature" })), _jsx(CopyButton, { value: curlCommand(request), timeout: 1500, children: ({ copied, copy }) => (_jsx(Button, { size: "xs", variant: "default", leftSection: copied ? _jsx(IconCheck, { size: 14 }) : _jsx(IconTerminal2, { size: 14 }), onClick: copy, children: copied ? 'Copied' : 'Copy as curl' })) }), canWrite && request.state !== 'waiting' && (_jsx(Button, { size: "xs", variant: "default", leftSection: _jsx(IconRefresh, { size: 14 }), loading: redeliver.isPending, onClick: () => redeliver.mutate([request], {
                                    onSuccess: ([redelivery]) => void navigate({
                                        search: (previous) => ({ ...previous, request: redelivery?.id, state: undefined }),
                                    }),
                                }), children: "Redeliver" }))] })] }), _jsxs("dl", { className: classes.ids, children: [_jsx("dt", { children: "Event ID" }), _jsx("dd", { children: _jsx(Copyable, { value: request.request_payload.id, label: "event ID", mono: true }) }), request.redelivery_of !== null && (_jsxs(_Fragment, { children: [_jsx("dt", { children: "Redelivery of" }), _jsx("dd", { children: _jsx(Link, { to: ".", search: (previous) => ({ ...previous, request: request.redelivery_of ?? undefined }), children: "the earlier request" }) })] })), request.url !== webhook.url && (_jsxs(_Fragment, { children: [_jsx("dt", { children: "Sent to" }), _jsx("dd", { children: _jsx(Copyable, { value: request.url, label: "URL", mono: true }) })] }))] }), _jsx(AttemptTimeline, { request: request }), _jsxs(Tabs, { value: tab, onChange: setTab, children: [_jsxs(Tabs.List, { children: [_jsx(Tabs.Tab, { value: "response", children: "Response" }), _jsx(Tabs.Tab, { value: "request", children: "Request" })] }), _jsx(Tabs.Panel, { value: "response", pt: "sm", children: _jsx(MessageView, { label: "response", startLine: request.response_code === null ? undefined : `HTTP ${request.response_code}`, headers: request.response_headers ?? {}, body: request.response_payload ?? '', missing: responseMissing(request) }) }), _jsx(Tabs.Panel, { value: "request", pt: "sm", children: _jsx(MessageView, { label: "request", startLine: `POST ${request.url}`, headers: request.request_headers, body: request.request_body, missing: hasBeenSent ? undefined : webhookText.notSent }) })] }), isChecking && (_jsx(SignatureChecker, { onClose: () => setIsChecking(false), initialHeaders: signedHeaders(request), initialBody: request.request_body }))] }));
}
function responseMissing({ response_code: code, error, state }) {
    if (code !== null)
        return undefined;
    return error ?? (state === 'waiting' ? webhookText.notSent : webhookText.noResponse);
}
const signedHeaders = ({ request_headers: headers }) => Object.entries(headers)
    .filter(([name]) => name.includes('webhook'))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
