import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Skeleton, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { serviceUrl } from '../../api/client.ts';
import { callSignIn } from '../../api/sign-in.ts';
import { signInText } from '../../text/sign-in.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { OutsidePage } from './outside-page.tsx';
import { signInMethodsQuery } from './sign-in.queries.ts';
/** Sends a link by email that sets a new password. */
export function ForgotPasswordPage() {
    const { data: methods, error } = useQuery(signInMethodsQuery);
    const hasMail = methods?.email_link;
    return (_jsxs(OutsidePage, { title: "Reset your password", description: hasMail === false ? signInText.noMail : signInText.forgot, footer: _jsx(Link, { to: "/sign-in", children: "Back to sign-in" }), children: [error !== null && _jsx(FailureBanner, { error: error }), hasMail === undefined && error === null && _jsx(Skeleton, { height: 112 }), hasMail === true && _jsx(RequestForm, {}), hasMail === false && (_jsx(Button, { component: "a", href: `${serviceUrl}/docs/sign-in`, variant: "default", fullWidth: true, children: "How to recover access" }))] }));
}
function RequestForm() {
    const [sentTo, setSentTo] = useState();
    const form = useForm({ initialValues: { email: '' } });
    const { submit, isRunning, error } = useSubmit(form, async ({ email }) => {
        await callSignIn('/request-password-reset', { email });
        setSentTo(email);
    });
    if (sentTo !== undefined)
        return (_jsx(Notice, { kind: "good", title: signInText.resetSent(sentTo), children: signInText.resetSentHint }));
    return (_jsx("form", { onSubmit: submit, children: _jsxs(Stack, { children: [_jsx(TextInput, { label: "Email address", type: "email", name: "email", autoComplete: "username", required: true, withAsterisk: false, autoFocus: true, ...form.getInputProps('email') }), error !== undefined && _jsx(FailureBanner, { error: error }), _jsx(Button, { type: "submit", loading: isRunning, fullWidth: true, children: "Send the link" })] }) }));
}
