import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Alert, Modal, PasswordInput, Stack, Text, Textarea } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { verdictTexts } from '../../text/signature.ts';
import { webhookText } from '../../text/webhooks.ts';
import { useNow } from '../../ui/now.ts';
import { relativeTime } from '../../ui/time.ts';
import { parseHeaders, verifySignature } from './signature.ts';
/** Verifies the signature of a pasted request in the browser. */
export function SignatureChecker({ onClose, initialHeaders = '', initialBody = '' }) {
    const [headerText, setHeaderText] = useState(initialHeaders);
    const [body, setBody] = useState(initialBody);
    const [secret, setSecret] = useState('');
    const [verdict, setVerdict] = useState();
    const isComplete = headerText.trim() !== '' && body !== '' && secret !== '';
    useEffect(() => {
        let isCurrent = true;
        setVerdict(undefined);
        if (isComplete && window.isSecureContext)
            void verifySignature({ headers: parseHeaders(headerText), body, secret }).then((result) => {
                if (isCurrent)
                    setVerdict(result);
            });
        return () => {
            isCurrent = false;
        };
    }, [isComplete, headerText, body, secret]);
    return (_jsx(Modal, { opened: true, onClose: onClose, title: "Check a signature", size: "lg", children: _jsxs(Stack, { children: [_jsx(Text, { fz: "sm", c: "dimmed", children: webhookText.checker }), !window.isSecureContext && _jsx(Alert, { color: "yellow", children: webhookText.checkerNeedsHttps }), _jsx(Textarea, { label: "Headers", placeholder: 'webhook-id: …\nwebhook-timestamp: …\nwebhook-signature: v1,…', autosize: true, minRows: 3, maxRows: 8, ff: "monospace", "data-autofocus": initialHeaders === '' || undefined, value: headerText, onChange: (event) => setHeaderText(event.currentTarget.value) }), _jsx(Textarea, { label: "Body", description: "Exactly as it was received, before parsing.", placeholder: '{"id": "\u2026", "event": "build.created", \u2026}', autosize: true, minRows: 4, maxRows: 12, value: body, onChange: (event) => setBody(event.currentTarget.value) }), _jsx(PasswordInput, { label: "Secret", placeholder: "whsec_\u2026", autoComplete: "off", "data-autofocus": initialHeaders === '' ? undefined : true, value: secret, onChange: (event) => setSecret(event.currentTarget.value) }), _jsx("div", { "aria-live": "polite", children: verdict !== undefined && _jsx(VerdictBanner, { verdict: verdict, headerText: headerText }) })] }) }));
}
const toleranceSeconds = 5 * 60;
function VerdictBanner({ verdict, headerText }) {
    const now = useNow();
    const isValid = verdict === 'valid' || verdict === 'valid-without-newline';
    const isIncomplete = verdict === 'no-signature' || verdict === 'no-id';
    const timestamp = Number(parseHeaders(headerText).get('webhook-timestamp'));
    const isOld = isValid && timestamp > 0 && now / 1000 - timestamp > toleranceSeconds;
    const { title, detail } = verdictTexts[verdict];
    return (_jsxs(Alert, { color: isValid ? 'teal' : isIncomplete ? 'yellow' : 'red', icon: isValid ? _jsx(IconCircleCheck, {}) : isIncomplete ? _jsx(IconInfoCircle, {}) : _jsx(IconCircleX, {}), title: title, children: [detail, isOld &&
                ` The request was signed ${relativeTime(new Date(timestamp * 1000).toISOString(), now)}; most libraries reject requests that are more than five minutes old.`] }));
}
