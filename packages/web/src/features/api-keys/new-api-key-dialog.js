import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconKey } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { apiKeyText } from '../../text/api-keys.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Note } from '../../ui/note.tsx';
import { ScopePicker } from '../../ui/scope-picker.tsx';
import { apiKeysQuery } from './api-key.queries.ts';
import { keySnippets } from './ci-snippets.ts';
import { expiresAt, ExpiryField } from './expiry-field.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';
/** Creates an API key, then shows it once with the commands that use it. */
export function NewApiKeyDialog({ applicationId, onClose }) {
    const [created, setCreated] = useState();
    const queryClient = useQueryClient();
    const form = useForm({
        initialValues: { name: '', scopes: ['builds:create'], expires_at: '90' },
        validate: {
            name: (name) => (name.trim() === '' ? 'Enter a name that says where the key is used.' : null),
            scopes: (scopes) => (scopes.length === 0 ? 'Select at least one scope.' : null),
        },
    });
    if (created !== undefined)
        return _jsx(CreatedKey, { created: created, applicationId: applicationId, onClose: onClose });
    return (_jsxs(FormDialog, { title: "New API key", submitLabel: "Create key", size: "lg", form: form, onClose: onClose, onSubmit: async ({ name, scopes, expires_at }) => {
            const body = { name, scopes, expires_at: expiresAt(expires_at) };
            const { data } = applicationId === undefined
                ? await api.createWorkspaceApiKey({ body })
                : await api.createApplicationApiKey({ application_id: applicationId, body });
            setCreated(data);
            await queryClient.invalidateQueries({ queryKey: apiKeysQuery(applicationId).queryKey });
        }, children: [_jsx(TextInput, { label: "Name", placeholder: "GitHub Actions, nightly builds", ...form.getInputProps('name'), "data-autofocus": true, autoComplete: "off" }), _jsx(ExpiryField, { value: form.values.expires_at, onChange: (expiry) => form.setFieldValue('expires_at', expiry), error: form.errors['expires_at'] }), _jsx(ScopePicker, { kind: applicationId === undefined ? 'workspace' : 'application', value: form.values.scopes, onChange: (scopes) => form.setFieldValue('scopes', scopes), error: form.errors['scopes'] })] }));
}
function CreatedKey({ created: { name, key }, applicationId, onClose }) {
    return (_jsx(Modal, { opened: true, onClose: onClose, title: `API key ${name}`, size: "lg", closeOnClickOutside: false, children: _jsxs(Stack, { children: [_jsx(Note, { tone: "warn", icon: _jsx(IconKey, { size: 18 }), children: apiKeyText.shownOnce }), _jsx(CommandLine, { code: key, label: "API key" }), _jsx("div", { children: apiKeyText.secretName }), _jsx(SnippetTabs, { snippets: keySnippets(key, applicationId) }), _jsx(Group, { justify: "flex-end", children: _jsx(Button, { onClick: onClose, children: "Done" }) })] }) }));
}
