import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { webhookText } from '../../text/webhooks.ts';
import { CommandLine } from '../../ui/command-line.tsx';
/** Shows a new secret for the only time. Closes only by its button, so that the secret is not lost by accident. */
export function SecretDialog({ secret, onClose }) {
    return (_jsx(Modal, { opened: true, onClose: onClose, title: "Secret of the webhook", closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false, children: _jsxs(Stack, { children: [_jsx(Text, { children: webhookText.secretOnce }), _jsx(CommandLine, { code: secret, label: "secret" }), _jsx(Group, { justify: "flex-end", children: _jsx(Button, { onClick: onClose, "data-autofocus": true, children: "I have copied it" }) })] }) }));
}
