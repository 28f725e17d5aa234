import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, CopyButton, Group, Modal, Stack } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { serviceUrl } from '../../api/client.ts';
import { accountText } from '../../text/account.ts';
import classes from './security.module.css';
/** Shows the recovery codes once. The dialog closes only by its button, so that nobody loses the codes by accident. */
export function RecoveryCodesDialog({ codes, onClose }) {
    const text = codes.join('\n');
    function download() {
        const url = URL.createObjectURL(new Blob([`${serviceUrl}\n\n${text}\n`], { type: 'text/plain' }));
        const link = document.createElement('a');
        link.href = url;
        link.download = 'quayside-recovery-codes.txt';
        link.click();
        URL.revokeObjectURL(url);
    }
    return (_jsx(Modal, { opened: true, onClose: onClose, title: "Save your recovery codes", closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false, children: _jsxs(Stack, { children: [_jsx("div", { children: accountText.recoveryCodes }), _jsx("ul", { className: classes.codes, "aria-label": "Recovery codes", children: codes.map((code) => (_jsx("li", { children: code }, code))) }), _jsxs(Group, { justify: "space-between", gap: "xs", children: [_jsxs(Group, { gap: "xs", children: [_jsx(Button, { variant: "default", leftSection: _jsx(IconDownload, { size: 16 }), onClick: download, "data-autofocus": true, children: "Download" }), _jsx(CopyButton, { value: text, timeout: 1500, children: ({ copied, copy }) => (_jsx(Button, { variant: "default", leftSection: copied ? _jsx(IconCheck, { size: 16 }) : _jsx(IconCopy, { size: 16 }), onClick: copy, children: copied ? 'Copied' : 'Copy' })) })] }), _jsx(Button, { onClick: onClose, children: "I have saved them" })] })] }) }));
}
