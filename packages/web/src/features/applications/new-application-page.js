import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { applicationText } from '../../text/applications.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import classes from './new-application-page.module.css';
import { PlatformPicker } from './platform-picker.tsx';
/** Creates an application and opens its builds, where the first upload is explained. */
export function NewApplicationPage() {
    const navigate = useNavigate();
    const queryClient = useQueryClient();
    const { can } = useSession();
    const form = useForm({
        initialValues: { name: '', description: '', platforms: [] },
        validate: {
            name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
            platforms: (selected) => (selected.length === 0 ? applicationText.noPlatform : null),
        },
    });
    const { submit, isRunning, error } = useSubmit(form, async ({ description, ...values }) => {
        const body = { ...values, description: description === '' ? null : description };
        const { data } = await api.createApplication({ body });
        await Promise.all([
            queryClient.invalidateQueries({ queryKey: ['applications', 'list'] }),
            queryClient.invalidateQueries({ queryKey: ['workspace', 'statistics'] }),
        ]);
        await navigate({ to: '/applications/$applicationId', params: { applicationId: data.id } });
    });
    const { name, platforms } = form.values;
    if (!can('applications:create'))
        return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: "New application" }), _jsx(Text, { children: "Only owners and admins of the workspace can create applications." })] }));
    return (_jsxs("form", { onSubmit: submit, noValidate: true, children: [_jsx(PageHeader, { title: "New application", facts: applicationText.new }), _jsxs(Stack, { maw: "46rem", gap: "lg", children: [_jsx(TextInput, { label: "Name", placeholder: "Aurora", autoFocus: true, autoComplete: "off", maw: "28rem", ...form.getInputProps('name') }), _jsx(PlatformPicker, { value: platforms, onChange: (selected) => form.setFieldValue('platforms', selected), error: form.errors['platforms'] }), _jsx(Textarea, { label: "Description", description: applicationText.description, autosize: true, minRows: 2, ...form.getInputProps('description') }), error !== undefined && _jsx(FailureBanner, { error: error }), _jsx(Text, { fz: "sm", c: "dimmed", children: applicationText.icon }), _jsx(Button, { type: "submit", loading: isRunning, className: classes.submit, children: "Create application" }), _jsxs("div", { children: [_jsx(Text, { fz: "sm", c: "dimmed", mb: 4, children: "Same from a terminal" }), _jsx(CommandLine, { code: `quayside applications create "${name.trim() === '' ? 'My app' : name.trim()}"${(platforms.length === 0 ? ['android'] : platforms).map((each) => ` --platform ${each}`).join('')}` })] })] })] }));
}
