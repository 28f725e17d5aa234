import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { callSignIn } from '../../api/sign-in.ts';
import { signInText } from '../../text/sign-in.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
/** Sends a link by email that signs in without a password. */
export function EmailLinkForm() {
    const [isOpen, setIsOpen] = useState(false);
    const [sentTo, setSentTo] = useState();
    const form = useForm({ initialValues: { email: '' } });
    const { submit, isRunning, error } = useSubmit(form, async ({ email }) => {
        await callSignIn('/sign-in/magic-link', { email });
        setSentTo(email);
    });
    if (sentTo !== undefined)
        return (_jsx(Notice, { kind: "good", title: signInText.linkSent(sentTo), children: signInText.linkSentHint }));
    if (!isOpen)
        return (_jsx(Button, { variant: "default", fullWidth: true, leftSection: _jsx(IconMail, { size: 18 }), onClick: () => setIsOpen(true), children: "Email me a link" }));
    return (_jsx("form", { onSubmit: submit, children: _jsxs(Stack, { gap: "xs", children: [_jsx(TextInput, { label: "Email address for the link", type: "email", autoComplete: "email", required: true, withAsterisk: false, autoFocus: true, ...form.getInputProps('email') }), error !== undefined && _jsx(FailureBanner, { error: error }), _jsxs(Group, { gap: "xs", grow: true, children: [_jsx(Button, { variant: "default", onClick: () => setIsOpen(false), children: "Cancel" }), _jsx(Button, { type: "submit", variant: "light", loading: isRunning, children: "Send the link" })] })] }) }));
}
