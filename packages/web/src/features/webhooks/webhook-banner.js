import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react';
import { useState } from 'react';
import { webhookText } from '../../text/webhooks.ts';
import { useNow } from '../../ui/now.ts';
import { RedeliverDialog } from './redeliver-dialog.tsx';
import { useWebhookActions } from './use-webhook-actions.ts';
import { healthOf } from './webhook-health.ts';
/** Says why requests do not arrive and offers what helps. Hidden while they arrive. */
export function WebhookBanner({ webhook, canWrite }) {
    const [isRedelivering, setIsRedelivering] = useState(false);
    const { toggle, isBusy } = useWebhookActions(webhook);
    const { tone, label, detail } = healthOf(webhook, useNow());
    if (tone !== 'off' && tone !== 'bad' && tone !== 'warn')
        return null;
    const isOff = tone === 'off';
    const texts = { off: webhookText.inactive, bad: webhookText.inErrorState, warn: webhookText.failing };
    return (_jsxs(Alert, { mb: "md", color: isOff ? 'gray' : tone === 'bad' ? 'red' : 'yellow', icon: isOff ? _jsx(IconPlayerPause, { size: 18 }) : _jsx(IconAlertTriangle, { size: 18 }), title: isOff ? 'This webhook is off' : `${label} · ${detail}`, children: [_jsxs(Group, { justify: "space-between", gap: "sm", children: [_jsx("span", { children: texts[tone] }), canWrite && isOff && (_jsx(Button, { size: "xs", variant: "default", loading: isBusy, onClick: toggle, children: "Switch on" })), canWrite && tone === 'bad' && (_jsx(Button, { size: "xs", variant: "default", onClick: () => setIsRedelivering(true), children: "Redeliver failed requests" }))] }), isRedelivering && _jsx(RedeliverDialog, { webhook: webhook, onClose: () => setIsRedelivering(false) })] }));
}
