import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { failureOf } from '../../api/errors.ts';
import { callSignIn } from '../../api/sign-in.ts';
import { passwordHint, signInText } from '../../text/sign-in.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { OutsidePage } from './outside-page.tsx';
const route = getRouteApi('/reset-password');
/** Sets a new password with the link in an email. */
export function ResetPasswordPage() {
    const { token } = route.useSearch();
    const [isDone, setIsDone] = useState(false);
    const form = useForm({ initialValues: { newPassword: '' } });
    const { submit, isRunning, error } = useSubmit(form, async ({ newPassword }) => {
        await callSignIn('/reset-password', { token, newPassword });
        setIsDone(true);
    });
    if (isDone)
        return (_jsx(OutsidePage, { title: "Password changed", children: _jsxs(Stack, { children: [_jsx(Notice, { kind: "good", title: signInText.resetDone }), _jsx(ButtonLink, { to: "/sign-in", fullWidth: true, children: "Sign in" })] }) }));
    const isExpired = token === undefined || (error !== undefined && failureOf(error).status === 410);
    if (isExpired)
        return (_jsx(OutsidePage, { title: "This link no longer works", description: signInText.resetExpired, footer: _jsx(Link, { to: "/sign-in", children: "Back to sign-in" }), children: _jsx(ButtonLink, { to: "/forgot-password", fullWidth: true, children: "Send a new link" }) }));
    return (_jsx(OutsidePage, { title: "Choose a new password", description: signInText.reset, children: _jsx("form", { onSubmit: submit, children: _jsxs(Stack, { children: [_jsx(PasswordField, { label: "New password", name: "new-password", description: passwordHint, autoComplete: "new-password", required: true, withAsterisk: false, autoFocus: true, ...form.getInputProps('newPassword') }), error !== undefined && _jsx(FailureBanner, { error: error }), _jsx(Button, { type: "submit", loading: isRunning, fullWidth: true, children: "Change password" })] }) }) }));
}
