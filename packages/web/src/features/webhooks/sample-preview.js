import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { CopyButton, SegmentedControl, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNames, webhookText } from '../../text/webhooks.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { JsonView, prettyJson } from '../../ui/json-view.tsx';
import classes from './webhook-dialog.module.css';
import { isChatFormat } from './webhook-format.ts';
import { webhookSampleQuery } from './webhook.queries.ts';
/** Shows what a webhook sends: the chat message as a card, or the body. */
export function SamplePreview({ applicationId, event, format }) {
    const [view, setView] = useState('card');
    const { data: sample, error } = useQuery(webhookSampleQuery(applicationId, event, format));
    const isChat = isChatFormat(format);
    const body = sample === undefined ? '' : (prettyJson(sample.body) ?? sample.body);
    return (_jsxs("section", { className: classes.preview, "aria-label": "Sample", children: [_jsxs("div", { className: classes.previewTitle, children: [isChat ? (_jsx(SegmentedControl, { size: "xs", "aria-label": "View of the sample", value: view, onChange: setView, data: [
                            { value: 'card', label: 'Message' },
                            { value: 'body', label: 'Body' },
                        ] })) : ('Sample body'), _jsx(CopyButton, { value: sample?.body ?? '', timeout: 1500, children: ({ copied, copy }) => (_jsx(UnstyledButton, { fz: "xs", c: "dimmed", onClick: copy, children: copied ? 'Copied' : 'Copy body' })) })] }), error !== null && _jsx(FailureBanner, { error: error }), sample === undefined && error === null && _jsx(Skeleton, { height: 280 }), sample !== undefined &&
                (isChat && view === 'card' && sample.card !== null ? (_jsx(ChatCard, { card: sample.card, service: formatNames[format] })) : (_jsx(JsonView, { text: body, label: "sample body" }))), _jsx(Text, { fz: "xs", c: "dimmed", mt: 6, children: webhookText.sampleOfNewest })] }));
}
function ChatCard({ card, service }) {
    const { title, subject, facts, notes } = card;
    return (_jsxs("article", { className: classes.card, "aria-label": `Message in ${service}`, children: [_jsx("div", { className: classes.cardTitle, children: title }), _jsx("div", { className: classes.cardSubject, children: subject }), _jsx("dl", { className: classes.facts, children: facts.map(({ name, value }) => [_jsx("dt", { children: name }, name), _jsx("dd", { children: value }, `${name} value`)]) }), notes !== null && _jsx("p", { className: classes.notes, children: notes })] }));
}
