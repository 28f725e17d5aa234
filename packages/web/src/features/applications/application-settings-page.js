import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton } from '@mantine/core';
import { IconDeviceDesktopCog, IconDevices, IconKey, IconSettings, IconShieldCheck, IconTag, IconTrash, IconUsers, } from '@tabler/icons-react';
import { getRouteApi, linkOptions } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useSession } from '../../api/session.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { SettingsLayout } from '../../ui/settings-layout.tsx';
const route = getRouteApi('/console/applications/$applicationId/settings');
const sections = {
    general: lazy(async () => ({
        default: (await import('./application-general-section.tsx')).ApplicationGeneralSection,
    })),
    platforms: lazy(async () => ({ default: (await import('./platforms-section.tsx')).PlatformsSection })),
    members: lazy(async () => ({
        default: (await import('../members/application-members-section.tsx')).ApplicationMembersSection,
    })),
    labels: lazy(async () => ({ default: (await import('../labels/labels-section.tsx')).LabelsSection })),
    'custom-targets': lazy(async () => ({
        default: (await import('../custom-targets/custom-targets-section.tsx')).CustomTargetsSection,
    })),
    'api-keys': lazy(async () => ({
        default: (await import('../api-keys/api-keys-section.tsx')).ApiKeysSection,
    })),
    'trusted-publishers': lazy(async () => ({
        default: (await import('../trusted-publishers/trusted-publishers-section.tsx')).TrustedPublishersSection,
    })),
    delete: lazy(async () => ({
        default: (await import('./delete-application-section.tsx')).DeleteApplicationSection,
    })),
};
/** The settings of an application, one section at a time. */
export function ApplicationSettingsPage() {
    const { applicationId } = route.useParams();
    const { section } = route.useSearch();
    const { can } = useSession();
    const icon = { size: 18 };
    const canReadMembers = can('members:read', applicationId);
    const canReadKeys = can('api_keys:read');
    const groups = [
        {
            label: 'Application',
            sections: [
                { id: 'general', label: 'General', icon: _jsx(IconSettings, { ...icon }), isShown: true },
                { id: 'platforms', label: 'Platforms', icon: _jsx(IconDevices, { ...icon }), isShown: true },
                { id: 'members', label: 'Members', icon: _jsx(IconUsers, { ...icon }), isShown: canReadMembers },
            ],
        },
        {
            label: 'Builds',
            sections: [
                { id: 'labels', label: 'Labels', icon: _jsx(IconTag, { ...icon }), isShown: true },
                {
                    id: 'custom-targets',
                    label: 'Custom targets',
                    icon: _jsx(IconDeviceDesktopCog, { ...icon }),
                    isShown: true,
                },
            ],
        },
        {
            label: 'Automation',
            sections: [
                {
                    id: 'trusted-publishers',
                    label: 'Trusted publishers',
                    icon: _jsx(IconShieldCheck, { ...icon }),
                    isShown: canReadKeys,
                },
                { id: 'api-keys', label: 'API keys', icon: _jsx(IconKey, { ...icon }), isShown: canReadKeys },
            ],
        },
        {
            label: 'Danger zone',
            sections: [
                {
                    id: 'delete',
                    label: 'Delete application',
                    icon: _jsx(IconTrash, { ...icon }),
                    isShown: can('applications:write'),
                },
            ],
        },
    ]
        .map((group) => ({ ...group, sections: group.sections.filter(({ isShown }) => isShown) }))
        .filter((group) => group.sections.length > 0);
    const shown = groups.flatMap((group) => group.sections);
    const active = shown.find(({ id }) => id === section) ?? shown[0];
    const Section = sections[active?.id ?? 'general'];
    return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: "Settings", documentTitle: `${active?.label} · Settings` }), _jsx(SettingsLayout, { groups: groups, active: active?.id ?? 'general', linkTo: (id) => linkOptions({
                    to: '/applications/$applicationId/settings',
                    params: { applicationId },
                    search: { section: id },
                }), children: _jsx(Suspense, { fallback: _jsx(Skeleton, { height: 240, radius: "md" }), children: Section !== undefined && (_jsx(Section, { applicationId: applicationId }, `${applicationId} ${active?.id}`)) }) })] }));
}
