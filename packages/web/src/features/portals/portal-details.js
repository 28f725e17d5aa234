import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Stack } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ImageField } from '../../ui/image-field.tsx';
import { SettingsForm } from '../../ui/settings-form.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone } from '../../ui/toast.tsx';
import { portalBodyOf, PortalFields, portalValuesOf } from './portal-fields.tsx';
import { portalChanged, reloadPortals } from './portal.queries.ts';
/** The icon, name, description, visitors and address of a portal. */
export function PortalDetails({ portal, canEdit }) {
    const queryClient = useQueryClient();
    const form = useForm({
        initialValues: portalValuesOf(portal),
        validate: { name: isNotEmpty('Enter a name.') },
    });
    const changed = ({ data }) => portalChanged(queryClient, data);
    const { id } = portal;
    return (_jsx(SettingsSection, { title: "Details", children: _jsxs(Stack, { gap: "lg", maw: "34rem", children: [_jsx(ImageField, { label: "Icon", name: portal.name, url: portal.icon_url, canEdit: canEdit, onSave: async ({ content_type, data }) => changed(await api.replacePortalIcon({ portal_id: id, body: { content_type, data } })), onDelete: async () => {
                        await api.deletePortalIcon({ portal_id: id });
                        await reloadPortals(queryClient);
                    } }), _jsx(SettingsForm, { form: form, canEdit: canEdit, onSubmit: async (values) => {
                        await changed(await api.updatePortal({ portal_id: id, body: portalBodyOf(values) }));
                        showDone('Portal saved.');
                    }, children: _jsx(PortalFields, { form: form, isDisabled: !canEdit }) })] }) }));
}
