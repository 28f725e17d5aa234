import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Link } from '@tanstack/react-router';
import { eventTitle, formatNames } from '../../text/webhooks.ts';
import { LabelDot } from '../../ui/label-dot.tsx';
import { useNow } from '../../ui/now.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import { healthOf, webhookName } from './webhook-health.ts';
import classes from './webhook-list-page.module.css';
import { WebhookMenu } from './webhook-menu.tsx';
/** A webhook in the list: where it sends requests, when, and whether they arrive. */
export function WebhookRow({ webhook }) {
    const health = healthOf(webhook, useNow());
    const { stream, label } = webhook.event_subscription;
    return (_jsxs("li", { className: classes.row, children: [_jsxs("div", { className: classes.main, children: [_jsxs("span", { className: classes.name, children: [_jsx(StatusDot, { tone: health.tone }), _jsx(Link, { to: "/applications/$applicationId/webhooks/$webhookId", params: { applicationId: webhook.application_id, webhookId: webhook.id }, children: webhookName(webhook) })] }), _jsx("span", { className: classes.url, children: webhook.url })] }), _jsxs("div", { className: classes.event, children: [eventTitle(webhook.event), _jsxs("span", { className: classes.narrowing, children: [stream !== null && _jsxs("span", { children: ["in ", stream.name] }), label !== null && _jsx(LabelDot, { name: label.name, color: label.color }), _jsx("span", { children: formatNames[webhook.format] }), webhook.secret_configured && _jsx("span", { children: "signed" })] })] }), _jsxs("div", { className: classes.health, "data-tone": health.tone, children: [_jsx("b", { children: health.label }), _jsx("span", { className: classes.soft, children: health.detail })] }), _jsx("div", { className: classes.menu, children: _jsx(WebhookMenu, { webhook: webhook }) })] }));
}
