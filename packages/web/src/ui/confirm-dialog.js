import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FailureBanner } from './failure-banner.tsx';
/** Asks before an action. Stays open with the error if the action fails. */
export function ConfirmDialog({ title, children, confirmLabel, onConfirm, onClose, ...options }) {
    const { isDangerous = false, typeToConfirm } = options;
    const [typed, setTyped] = useState('');
    const [isRunning, setIsRunning] = useState(false);
    const [error, setError] = useState();
    async function confirm() {
        setIsRunning(true);
        try {
            await onConfirm();
            onClose();
        }
        catch (failure) {
            setError(failure);
        }
        finally {
            setIsRunning(false);
        }
    }
    return (_jsx(Modal, { opened: true, onClose: onClose, title: title, children: _jsx("form", { onSubmit: (event) => {
                event.preventDefault();
                void confirm();
            }, children: _jsxs(Stack, { children: [_jsx("div", { children: children }), typeToConfirm !== undefined && (_jsx(TextInput, { label: `Type ${typeToConfirm} to confirm`, value: typed, onChange: (event) => setTyped(event.currentTarget.value), autoComplete: "off", "data-autofocus": true })), error !== undefined && _jsx(FailureBanner, { error: error }), _jsxs(Group, { justify: "flex-end", gap: "xs", children: [_jsx(Button, { variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { type: "submit", color: isDangerous ? 'red' : undefined, loading: isRunning, disabled: typeToConfirm !== undefined && typed !== typeToConfirm, children: confirmLabel })] })] }) }) }));
}
