import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, CopyButton, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { callSignIn } from '../../api/sign-in.ts';
import { accountText } from '../../text/account.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import classes from './security.module.css';
/** Shows the QR code for the authenticator app and verifies the first code of the app. */
export function TwoFactorDialog({ uri, onDone, onClose }) {
    const form = useForm({ initialValues: { code: '' } });
    const secret = new URL(uri).searchParams.get('secret') ?? '';
    return (_jsxs(FormDialog, { title: "Scan the code with your authenticator app", submitLabel: "Turn on", form: form, onSubmit: async ({ code }) => {
            await callSignIn('/two-factor/verify-totp', { code: code.replaceAll(/\s/g, '') });
            await onDone();
        }, onClose: onClose, children: [_jsxs("div", { className: classes.enroll, children: [_jsx(QrCode, { text: uri, size: 168, label: "QR code for the authenticator app" }), _jsxs("div", { className: classes.secret, children: [_jsx("a", { href: uri, children: accountText.openApp }), _jsx("div", { children: accountText.manualSecret }), _jsx("code", { children: secret.match(/.{1,4}/g)?.join(' ') }), _jsx(CopyButton, { value: secret, timeout: 1500, children: ({ copied, copy }) => (_jsx(Button, { variant: "default", size: "xs", onClick: copy, children: copied ? 'Copied' : 'Copy the secret' })) })] })] }), _jsx(TextInput, { label: "Code in the app", description: accountText.firstCode, inputMode: "numeric", autoComplete: "one-time-code", required: true, withAsterisk: false, "data-autofocus": true, ...form.getInputProps('code') })] }));
}
