import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';
import { callSignIn } from '../../api/sign-in.ts';
import { accountText } from '../../text/account.ts';
import { passwordHint } from '../../text/sign-in.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone } from '../../ui/toast.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import classes from './security.module.css';
/** Changes the password. */
export function PasswordSettings() {
    const { user } = useSession();
    const queryClient = useQueryClient();
    const form = useForm({ initialValues: { currentPassword: '', newPassword: '' } });
    const { submit, isRunning, error } = useSubmit(form, async (values) => {
        await callSignIn('/change-password', values);
        form.reset();
        showDone(accountText.passwordChanged);
        await queryClient.invalidateQueries({ queryKey: ['account', 'sessions'] });
    });
    return (_jsx(SettingsSection, { title: "Password", description: accountText.password, children: _jsx("form", { onSubmit: submit, method: "post", className: classes.form, children: _jsxs(Stack, { children: [_jsx("input", { type: "email", name: "email", autoComplete: "username", value: user.email, readOnly: true, hidden: true }), _jsx(PasswordField, { label: "Current password", name: "current-password", autoComplete: "current-password", required: true, withAsterisk: false, ...form.getInputProps('currentPassword') }), _jsx(PasswordField, { label: "New password", name: "new-password", description: passwordHint, autoComplete: "new-password", required: true, withAsterisk: false, ...form.getInputProps('newPassword') }), error !== undefined && _jsx(FailureBanner, { error: error }), _jsx("div", { children: _jsx(Button, { type: "submit", variant: "default", loading: isRunning, children: "Change password" }) })] }) }) }));
}
