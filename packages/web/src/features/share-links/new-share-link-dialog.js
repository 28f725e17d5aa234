import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Modal, NumberInput, PasswordInput, Select, Stack, Text, TextInput, } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrorsOf } from '../../api/errors.ts';
import { shareLinkText } from '../../text/share-link.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { createShareLink, keyOfShareables } from './share-link.queries.ts';
/** Creates a share link and shows it. */
export function NewShareLinkDialog({ shareable, name, onClose }) {
    const [link, setLink] = useState();
    const subject = name ?? `this ${shareable.type}`;
    return (_jsx(Modal, { opened: true, onClose: onClose, title: link === undefined ? `Share ${subject}` : 'Share link created', children: link === undefined ? (_jsx(LinkForm, { shareable: shareable, onCreated: setLink, onClose: onClose })) : (_jsxs(Stack, { align: "center", children: [_jsx(QrCode, { text: link.url, label: "QR code of the share link", size: 180 }), _jsx(CommandLine, { code: link.url, label: "share link" }), _jsx(Text, { fz: "sm", c: "dimmed", ta: "center", children: link.password_protected ? shareLinkText.createdWithPassword : shareLinkText.created }), _jsx(Button, { fullWidth: true, onClick: onClose, "data-autofocus": true, children: "Done" })] })) }));
}
const lifetimes = [
    { value: '1', label: '1 day' },
    { value: '7', label: '7 days' },
    { value: '30', label: '30 days' },
    { value: '90', label: '90 days' },
    { value: 'date', label: 'On a date' },
    { value: 'never', label: 'Never' },
];
const dayMs = 86400000;
function LinkForm({ shareable, onCreated, onClose }) {
    const queryClient = useQueryClient();
    const [error, setError] = useState();
    const form = useForm({
        initialValues: { lifetime: '30', date: '', password: '', maxDownloads: '' },
        validate: {
            date: (value, { lifetime }) => (lifetime === 'date' && value === '' ? 'Choose a date.' : null),
        },
    });
    async function create(values) {
        const expiresAt = expiryOf(values);
        setError(undefined);
        try {
            const link = await createShareLink(shareable, {
                ...(values.password === '' ? {} : { password: values.password }),
                ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
                ...(values.maxDownloads === '' ? {} : { max_downloads: values.maxDownloads }),
            });
            void queryClient.invalidateQueries({ queryKey: keyOfShareables(shareable) });
            onCreated(link);
        }
        catch (failure) {
            const { expires_at: date, max_downloads: maxDownloads, password } = fieldErrorsOf(failure);
            form.setErrors({ date, maxDownloads, password });
            if (date === undefined && maxDownloads === undefined && password === undefined)
                setError(failure);
        }
    }
    return (_jsx("form", { onSubmit: form.onSubmit(create), children: _jsxs(Stack, { children: [_jsx(Select, { label: "Expires", data: lifetimes, "data-autofocus": true, allowDeselect: false, error: form.values.lifetime === 'date' ? undefined : form.errors['date'], ...form.getInputProps('lifetime') }), form.values.lifetime === 'date' && (_jsx(TextInput, { type: "datetime-local", label: "Date and time", ...form.getInputProps('date') })), _jsx(PasswordInput, { label: "Password", placeholder: "Optional", description: shareLinkText.passwordHelp, autoComplete: "new-password", maxLength: 72, ...form.getInputProps('password') }), _jsx(NumberInput, { label: "Download limit", placeholder: "Unlimited", description: shareLinkText.limitHelp, min: 1, max: 1000000, allowDecimal: false, ...form.getInputProps('maxDownloads') }), error !== undefined && _jsx(FailureBanner, { error: error }), _jsxs(Group, { justify: "flex-end", gap: "xs", children: [_jsx(Button, { variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { type: "submit", loading: form.submitting, children: "Create link" })] })] }) }));
}
function expiryOf({ lifetime, date }) {
    if (lifetime === 'never')
        return undefined;
    return new Date(lifetime === 'date' ? date : Date.now() + Number(lifetime) * dayMs).toISOString();
}
