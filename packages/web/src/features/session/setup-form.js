import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Divider, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { QuaysideError } from '@quayside/sdk';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { setupText } from '../../text/setup.ts';
import { passwordHint } from '../../text/sign-in.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { PlatformPicker } from '../applications/platform-picker.tsx';
/** Asks for the workspace, its owner and the first application. */
export function SetupForm({ token, onDone }) {
    const [hasOwner, setHasOwner] = useState(false);
    const [application, setApplication] = useState();
    const form = useForm({
        initialValues: {
            workspace_name: '',
            name: '',
            email: '',
            password: '',
            application_name: '',
            platforms: ['android', 'ios'],
        },
    });
    // The token and the name are used up one after the other, so a second attempt continues where the first one failed.
    const { submit, isRunning, error } = useSubmit(form, async (values) => {
        const { application_name: applicationName, platforms, ...owner } = values;
        if (!hasOwner) {
            await api.setUp({ body: { setup_token: token, ...owner } });
            setHasOwner(true);
        }
        const created = application ?? (await createApplication(applicationName, platforms));
        setApplication(created);
        const { data } = await api.createApplicationApiKey({
            application_id: created.id,
            body: { name: 'First upload', scopes: ['builds:create'] },
        });
        onDone({ ...created, platforms, apiKey: data.key });
    });
    const field = (name) => ({
        required: true,
        withAsterisk: false,
        name,
        ...form.getInputProps(name),
    });
    return (_jsx("form", { onSubmit: submit, method: "post", children: _jsxs(Stack, { children: [!hasOwner && (_jsxs(_Fragment, { children: [_jsxs(SimpleGrid, { cols: { base: 1, xs: 2 }, spacing: "md", children: [_jsx(TextInput, { label: "Workspace", placeholder: "Acme Games", autoComplete: "organization", autoFocus: true, ...field('workspace_name') }), _jsx(TextInput, { label: "Your name", autoComplete: "name", ...field('name') }), _jsx(TextInput, { label: "Email address", type: "email", autoComplete: "username", ...field('email') }), _jsx(PasswordField, { label: "Password", name: "password", autoComplete: "new-password", required: true, withAsterisk: false, description: passwordHint, ...form.getInputProps('password') })] }), _jsx(Divider, {})] })), _jsx(TextInput, { label: "First application", placeholder: "Aurora", autoComplete: "off", description: hasOwner ? setupText.ownerCreated : undefined, readOnly: application !== undefined, ...field('application_name') }), _jsx(PlatformPicker, { value: form.values.platforms, onChange: (platforms) => form.setFieldValue('platforms', platforms), error: form.errors['platforms'] }), error !== undefined && _jsx(FailureBanner, { error: error }), _jsx(Button, { type: "submit", loading: isRunning, fullWidth: true, children: "Set up" })] }) }));
}
async function createApplication(name, platforms) {
    try {
        return (await api.createApplication({ body: { name, platforms } })).data;
    }
    catch (error) {
        const messages = error instanceof QuaysideError ? error.errors['name'] : undefined;
        if (!(error instanceof QuaysideError) || messages === undefined)
            throw error;
        const { status, message, code, requestId, errors } = error;
        throw new QuaysideError(status, message, {
            code,
            requestId,
            errors: { ...errors, application_name: messages },
        });
    }
}
