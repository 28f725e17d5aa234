import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Stack } from '@mantine/core';
import { FailureBanner } from './failure-banner.tsx';
import { useSubmit } from './use-submit.ts';
/** A form on a settings page. Its buttons appear when something was changed. */
export function SettingsForm({ form, onSubmit, canEdit, children }) {
    const { submit, isRunning, error } = useSubmit(form, async (values) => {
        await onSubmit(values);
        form.resetDirty(values);
    });
    return (_jsx("form", { onSubmit: submit, noValidate: true, children: _jsxs(Stack, { children: [children, error !== undefined && _jsx(FailureBanner, { error: error }), canEdit && (_jsxs(Group, { gap: "xs", children: [_jsx(Button, { type: "submit", loading: isRunning, disabled: !form.isDirty(), children: "Save changes" }), form.isDirty() && (_jsx(Button, { variant: "default", onClick: () => form.reset(), children: "Discard" }))] }))] }) }));
}
