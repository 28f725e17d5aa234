import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { QuaysideError } from '@quayside/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { invitationText } from '../../text/invitation.ts';
import { passwordHint } from '../../text/sign-in.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { useEnterConsole } from './enter-console.ts';
import { PasswordForm } from './password-form.tsx';
import { invitationQuery } from './sign-in.queries.ts';
/** Accepts an invitation. A person with an account who is not signed in signs in afterwards. */
export function AcceptInvitationForm({ token, invitation, session }) {
    const { email, has_account: hasAccount } = invitation;
    const enter = useEnterConsole();
    const queryClient = useQueryClient();
    const [isAccepted, setIsAccepted] = useState(false);
    const form = useForm({ initialValues: { name: session?.user.name ?? '', password: '' } });
    const { submit, isRunning, error } = useSubmit(form, async ({ name, password }) => {
        try {
            await api.acceptInvitation({ token, body: hasAccount ? { name } : { name, password } });
        }
        catch (failure) {
            // The account was created after this page was loaded, or the link cannot set its password.
            if (failure instanceof QuaysideError && failure.code === 'invitation.account_exists')
                queryClient.setQueryData(invitationQuery(token).queryKey, (before) => before && { ...before, has_account: true });
            throw failure;
        }
        if (session !== undefined)
            await openNewWorkspace(session);
        if (hasAccount && session === undefined)
            setIsAccepted(true);
        else
            enter();
    });
    if (isAccepted)
        return (_jsxs(Stack, { children: [_jsx(Notice, { kind: "good", title: invitationText.accepted }), _jsx(PasswordForm, { next: undefined, email: email }), _jsx(Link, { to: "/sign-in", children: "Sign in another way" })] }));
    return (_jsx("form", { onSubmit: submit, method: "post", children: _jsxs(Stack, { children: [_jsx(TextInput, { label: "Email address", type: "email", name: "email", autoComplete: "username", value: email, readOnly: true, description: hasAccount && session === undefined ? invitationText.hasAccount : undefined }), _jsx(TextInput, { label: "Your name", name: "name", autoComplete: "name", required: true, withAsterisk: false, autoFocus: true, ...form.getInputProps('name') }), !hasAccount && (_jsx(PasswordField, { label: "Password", name: "password", description: passwordHint, autoComplete: "new-password", required: true, withAsterisk: false, ...form.getInputProps('password') })), error !== undefined && _jsx(FailureBanner, { error: error }), _jsx(Button, { type: "submit", loading: isRunning, fullWidth: true, children: hasAccount ? 'Accept the invitation' : 'Create account' })] }) }));
}
/** Selects the workspace to which the person now belongs for the first time, if there is one. */
async function openNewWorkspace({ workspaces: before }) {
    const { workspaces } = (await api.getSession()).data;
    const joined = workspaces.find(({ id }) => !before.some((each) => each.id === id));
    if (joined !== undefined)
        await api.replaceSessionWorkspace({ body: { workspace_id: joined.id } });
}
