import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { sessionQuery, useSession } from '../../api/session.ts';
import { settingsText } from '../../text/settings.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { ImageField } from '../../ui/image-field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SettingsForm } from '../../ui/settings-form.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone } from '../../ui/toast.tsx';
import { workspaceQuery } from './workspace.queries.ts';
/** The name, logo and subdomain of the workspace. */
export function GeneralSection() {
    const query = useQuery(workspaceQuery);
    return (_jsx(SettingsSection, { title: "General", children: _jsx(Loaded, { query: query, children: (workspace) => _jsx(WorkspaceForm, { workspace: workspace }) }) }));
}
function WorkspaceForm({ workspace }) {
    const { id, name, subdomain, logo_url: url } = workspace;
    const canEdit = useSession().can('workspace:write');
    const queryClient = useQueryClient();
    const form = useForm({ initialValues: { name, subdomain } });
    const refresh = () => Promise.all([
        queryClient.invalidateQueries({ queryKey: workspaceQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    ]);
    return (_jsxs(SettingsForm, { form: form, canEdit: canEdit, onSubmit: async (values) => {
            // An empty subdomain restores the default, the ID of the workspace.
            const body = { ...values, subdomain: values.subdomain === '' ? null : values.subdomain };
            const { data } = await api.updateWorkspace({ body });
            form.setValues({ name: data.name, subdomain: data.subdomain });
            showDone('Workspace saved.');
            await refresh();
        }, children: [_jsx(ImageField, { label: "Logo", name: name, url: url, canEdit: canEdit, onSave: async ({ content_type, data }) => {
                    await api.replaceWorkspaceLogo({ body: { content_type, data } });
                    await refresh();
                }, onDelete: async () => {
                    await api.deleteWorkspaceLogo({});
                    await refresh();
                } }), _jsx(TextInput, { label: "Name", description: settingsText.workspaceName, readOnly: !canEdit, ...form.getInputProps('name') }), _jsx(TextInput, { label: "Subdomain", description: settingsText.subdomain, readOnly: !canEdit, ...form.getInputProps('subdomain') }), _jsxs(Text, { fz: "sm", c: "dimmed", component: "div", children: ["Workspace ID ", _jsx(Copyable, { value: id, label: "workspace ID", mono: true })] }), !canEdit && (_jsx(Text, { fz: "sm", c: "dimmed", children: settingsText.readOnly }))] }));
}
