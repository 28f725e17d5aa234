import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Modal, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { fieldErrorsOf } from '../../api/errors.ts';
import { webhookText } from '../../text/webhooks.ts';
import { plural } from '../../ui/bytes.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { showDone } from '../../ui/toast.tsx';
import { useWebhookActions } from './use-webhook-actions.ts';
const periods = [
    { value: 'all', label: 'All kept requests (30 days)' },
    { value: '1', label: 'The last hour' },
    { value: '24', label: 'The last 24 hours' },
    { value: '168', label: 'The last 7 days' },
    { value: 'custom', label: 'From … to …' },
];
const hourMs = 3600000;
/** Redelivers the failed requests, or all requests of a time range. */
export function RedeliverDialog({ webhook, onClose }) {
    const { reload } = useWebhookActions(webhook);
    const [state, setState] = useState('failed');
    const [period, setPeriod] = useState('all');
    const [from, setFrom] = useState('');
    const [to, setTo] = useState('');
    const redeliver = useMutation({
        mutationFn: () => redeliverAll(webhook, rangeOf({ state, period, from, to })),
        onSuccess: async (count) => {
            showDone(count === 0 ? 'No request to redeliver.' : `${plural(count, 'request')} queued.`);
            onClose();
            await reload();
        },
    });
    const errors = fieldErrorsOf(redeliver.error);
    const isIncomplete = period === 'custom' && from === '' && to === '' && state === 'all';
    return (_jsx(Modal, { opened: true, onClose: onClose, title: "Redeliver requests", children: _jsx("form", { onSubmit: (event) => {
                event.preventDefault();
                redeliver.mutate();
            }, children: _jsxs(Stack, { children: [_jsx(Radio.Group, { label: "Requests", value: state, onChange: (value) => setState(value === 'all' ? 'all' : 'failed'), children: _jsxs(Stack, { gap: 8, mt: 6, children: [_jsx(Radio, { value: "failed", label: "Failed requests" }), _jsx(Radio, { value: "all", label: "All requests", description: "For a receiver that responded but lost them." })] }) }), _jsx(Select, { label: "Time", data: periods, value: period, allowDeselect: false, onChange: (value) => setPeriod((value ?? 'all')) }), period === 'custom' && (_jsxs(Group, { grow: true, align: "start", children: [_jsx(TextInput, { type: "datetime-local", label: "From", value: from, error: errors['created_after'], onChange: (event) => setFrom(event.currentTarget.value) }), _jsx(TextInput, { type: "datetime-local", label: "To", value: to, error: errors['created_before'], onChange: (event) => setTo(event.currentTarget.value) })] })), _jsx(Text, { fz: "xs", c: "dimmed", children: webhookText.redeliver }), redeliver.error !== null && _jsx(FailureBanner, { error: redeliver.error }), _jsxs(Group, { justify: "flex-end", gap: "xs", children: [_jsx(Button, { variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { type: "submit", loading: redeliver.isPending, disabled: isIncomplete, children: "Redeliver" })] })] }) }) }));
}
/** Returns the range for the API, which requires at least one condition. */
function rangeOf({ state, period, from, to }) {
    const hours = period === 'all' ? 30 * 24 : Number(period);
    const after = period === 'custom' ? from : new Date(Date.now() - hours * hourMs).toISOString();
    return {
        ...(state === 'failed' ? { state } : {}),
        ...(after === '' ? {} : { created_after: new Date(after).toISOString() }),
        ...(period === 'custom' && to !== '' ? { created_before: new Date(to).toISOString() } : {}),
    };
}
/** Repeats the call until no more requests match. Returns the number of redeliveries. */
async function redeliverAll({ application_id, id }, range) {
    let count = 0;
    let body = range;
    for (;;) {
        const { data } = await api.redeliverWebhookRequests({ application_id, webhook_id: id, body });
        count += data.redelivered_count;
        if (!data.has_more)
            return count;
        body = { ...range, created_before: data.created_before };
    }
}
