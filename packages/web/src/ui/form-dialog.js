import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Modal, Stack } from '@mantine/core';
import { FailureBanner } from './failure-banner.tsx';
import { useSubmit } from './use-submit.ts';
/** Asks for the fields of a resource. Stays open with everything that was typed if the server refuses it. */
export function FormDialog({ title, submitLabel, form, onSubmit, onClose, size, children, }) {
    const { submit, isRunning, error } = useSubmit(form, onSubmit);
    return (_jsx(Modal, { opened: true, onClose: onClose, title: title, size: size, children: _jsx("form", { onSubmit: submit, noValidate: true, children: _jsxs(Stack, { children: [children, error !== undefined && _jsx(FailureBanner, { error: error }), _jsxs(Group, { justify: "flex-end", gap: "xs", children: [_jsx(Button, { variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { type: "submit", loading: isRunning, children: submitLabel })] })] }) }) }));
}
