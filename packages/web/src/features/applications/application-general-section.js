import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { applicationText } from '../../text/applications.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { ImageField } from '../../ui/image-field.tsx';
import { SettingsForm } from '../../ui/settings-form.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone } from '../../ui/toast.tsx';
import { applicationQuery } from './application.queries.ts';
/** The name, icon and description of an application. */
export function ApplicationGeneralSection({ applicationId }) {
    const { data: application } = useSuspenseQuery(applicationQuery(applicationId));
    const { name, description, icon_url: url } = application;
    const canEdit = useSession().can('application:write', applicationId);
    const queryClient = useQueryClient();
    const form = useForm({ initialValues: { name, description: description ?? '' } });
    const path = { application_id: applicationId };
    const refresh = () => Promise.all([
        queryClient.invalidateQueries({ queryKey: ['applications', 'list'] }),
        queryClient.invalidateQueries(applicationQuery(applicationId)),
        queryClient.invalidateQueries({ queryKey: ['workspace', 'statistics'] }),
    ]);
    return (_jsx(SettingsSection, { title: "General", children: _jsxs(SettingsForm, { form: form, canEdit: canEdit, onSubmit: async (values) => {
                const body = { ...values, description: values.description === '' ? null : values.description };
                await api.updateApplication({ ...path, body });
                showDone('Application saved.');
                await refresh();
            }, children: [_jsx(ImageField, { label: "Icon", name: name, url: url, canEdit: canEdit, onSave: async ({ content_type, data }) => {
                        await api.replaceApplicationIcon({ ...path, body: { content_type, data } });
                        await refresh();
                    }, onDelete: async () => {
                        await api.deleteApplicationIcon(path);
                        await refresh();
                    } }), _jsx(TextInput, { label: "Name", readOnly: !canEdit, ...form.getInputProps('name') }), _jsx(Textarea, { label: "Description", description: applicationText.description, readOnly: !canEdit, autosize: true, minRows: 2, maxRows: 8, ...form.getInputProps('description') }), _jsxs(Text, { fz: "sm", c: "dimmed", component: "div", children: ["Application ID ", _jsx(Copyable, { value: applicationId, label: "application ID", mono: true })] }), !canEdit && (_jsx(Text, { fz: "sm", c: "dimmed", children: applicationText.readOnly }))] }) }));
}
