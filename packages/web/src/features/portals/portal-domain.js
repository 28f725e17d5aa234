import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCircleCheck, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { portalText } from '../../text/portals.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { SettingsForm } from '../../ui/settings-form.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone } from '../../ui/toast.tsx';
import classes from './portal-domain.module.css';
import { portalChanged } from './portal.queries.ts';
/** The custom domain of a portal, with the DNS record that proves control of it. */
export function PortalDomain({ portal, canEdit }) {
    const queryClient = useQueryClient();
    const form = useForm({ initialValues: { custom_domain: portal.custom_domain ?? '' } });
    return (_jsx(SettingsSection, { title: "Custom domain", description: portalText.customDomain, children: _jsxs(Stack, { gap: "md", maw: "34rem", children: [_jsx(SettingsForm, { form: form, canEdit: canEdit, onSubmit: async ({ custom_domain: input }) => {
                        const body = { custom_domain: input.trim() === '' ? null : input.trim() };
                        const { data } = await api.updatePortal({ portal_id: portal.id, body });
                        await portalChanged(queryClient, data);
                        showDone(data.custom_domain === null ? 'Custom domain removed.' : 'Custom domain saved.');
                    }, children: _jsx(TextInput, { label: "Domain", placeholder: "downloads.example.com", disabled: !canEdit, autoCapitalize: "none", spellCheck: false, description: portal.custom_domain_active ? portalText.changedDomain : undefined, ...form.getInputProps('custom_domain') }, form.key('custom_domain')) }), _jsx(DomainProof, { portal: portal, canEdit: canEdit })] }) }));
}
function DomainProof({ portal, canEdit }) {
    const queryClient = useQueryClient();
    const verification = useMutation({
        mutationFn: () => api.verifyPortalDomain({ portal_id: portal.id }),
        onSuccess: ({ data }) => portalChanged(queryClient, data),
    });
    const record = portal.custom_domain_verification;
    if (record === null)
        return null;
    if (portal.custom_domain_active)
        return (_jsxs(Group, { gap: 6, wrap: "nowrap", children: [_jsx(IconCircleCheck, { size: 18, color: "var(--q-good)", "aria-hidden": true }), _jsx(Text, { fz: "sm", children: portalText.verified })] }));
    return (_jsxs("div", { className: classes.proof, children: [_jsx(Text, { fz: "sm", children: portalText.dns }), _jsxs("dl", { className: classes.record, children: [_jsx("dt", { children: "Type" }), _jsx("dd", { children: record.type }), _jsx("dt", { children: "Name" }), _jsx("dd", { children: _jsx(Copyable, { value: record.name, label: "name of the record", mono: true }) }), _jsx("dt", { children: "Value" }), _jsx("dd", { children: _jsx(Copyable, { value: record.value, label: "value of the record", mono: true }) })] }), verification.error !== null && _jsx(FailureBanner, { error: verification.error }), canEdit && (_jsx(Button, { variant: "default", leftSection: _jsx(IconRefresh, { size: 16 }), loading: verification.isPending, onClick: () => verification.mutate(), children: "Verify domain" }))] }));
}
