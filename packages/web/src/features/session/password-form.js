import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { callSignIn } from '../../api/sign-in.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { useEnterConsole } from './enter-console.ts';
import classes from './password-form.module.css';
import { usePasskeySuggestions } from './use-passkey-suggestions.ts';
/** Signs in with an email address and a password. The browser suggests passkeys in the first field. */
export function PasswordForm({ next, email = '', forgot }) {
    const enter = useEnterConsole();
    const navigate = useNavigate();
    const form = useForm({ initialValues: { email, password: '' } });
    usePasskeySuggestions(() => enter(next));
    const { submit, isRunning, error } = useSubmit(form, async (values) => {
        const { twoFactorRedirect } = await callSignIn('/sign-in/email', values);
        if (twoFactorRedirect === true)
            await navigate({ to: '/sign-in/two-factor', search: { next } });
        else
            enter(next);
    });
    return (_jsx("form", { onSubmit: submit, method: "post", children: _jsxs(Stack, { children: [_jsx(TextInput, { label: "Email address", type: "email", name: "email", autoComplete: "username webauthn", required: true, withAsterisk: false, autoFocus: email === '', readOnly: email !== '', ...form.getInputProps('email') }), _jsxs("div", { className: classes.password, children: [_jsx(PasswordField, { label: "Password", name: "password", autoComplete: "current-password", required: true, withAsterisk: false, autoFocus: email !== '', ...form.getInputProps('password') }), forgot !== undefined && _jsx("div", { className: classes.forgot, children: forgot })] }), error !== undefined && _jsx(FailureBanner, { error: error }), _jsx(Button, { type: "submit", loading: isRunning, fullWidth: true, children: "Sign in" })] }) }));
}
