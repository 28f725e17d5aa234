import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton } from '@mantine/core';
import { IconDatabase, IconDeviceDesktopCog, IconGitBranch, IconHistory, IconKey, IconMail, IconSettings, IconTag, IconTrash, IconUsers, } from '@tabler/icons-react';
import { getRouteApi, linkOptions } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useSession } from '../../api/session.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { SettingsLayout } from '../../ui/settings-layout.tsx';
const route = getRouteApi('/console/settings');
const sections = {
    general: lazy(async () => ({ default: (await import('../workspace/general-section.tsx')).GeneralSection })),
    members: lazy(async () => ({ default: (await import('../members/members-section.tsx')).MembersSection })),
    'api-keys': lazy(async () => ({
        default: (await import('../api-keys/api-keys-section.tsx')).ApiKeysSection,
    })),
    labels: lazy(async () => ({ default: (await import('../labels/labels-section.tsx')).LabelsSection })),
    'custom-targets': lazy(async () => ({
        default: (await import('../custom-targets/custom-targets-section.tsx')).CustomTargetsSection,
    })),
    streams: lazy(async () => ({
        default: (await import('../streams/default-streams-section.tsx')).DefaultStreamsSection,
    })),
    storage: lazy(async () => ({ default: (await import('../workspace/storage-section.tsx')).StorageSection })),
    emails: lazy(async () => ({ default: (await import('../mails/mails-section.tsx')).MailsSection })),
    'audit-log': lazy(async () => ({
        default: (await import('../audit-log/audit-log-section.tsx')).AuditLogSection,
    })),
    trash: lazy(async () => ({
        default: (await import('../applications/deleted-applications-section.tsx')).DeletedApplicationsSection,
    })),
};
/** The settings of the workspace, one section at a time. */
export function SettingsPage() {
    const { can } = useSession();
    const icon = { size: 18 };
    const groups = [
        {
            label: 'Workspace',
            sections: [
                { id: 'general', label: 'General', icon: _jsx(IconSettings, { ...icon }), isShown: true },
                { id: 'members', label: 'Members', icon: _jsx(IconUsers, { ...icon }), isShown: can('members:read') },
                { id: 'api-keys', label: 'API keys', icon: _jsx(IconKey, { ...icon }), isShown: can('api_keys:read') },
            ],
        },
        {
            label: 'For every application',
            sections: [
                { id: 'labels', label: 'Labels', icon: _jsx(IconTag, { ...icon }), isShown: can('workspace:read') },
                {
                    id: 'custom-targets',
                    label: 'Custom targets',
                    icon: _jsx(IconDeviceDesktopCog, { ...icon }),
                    isShown: can('workspace:read'),
                },
                {
                    id: 'streams',
                    label: 'Default streams',
                    icon: _jsx(IconGitBranch, { ...icon }),
                    isShown: can('workspace:read'),
                },
            ],
        },
        {
            label: 'Operation',
            sections: [
                { id: 'storage', label: 'Storage', icon: _jsx(IconDatabase, { ...icon }), isShown: true },
                { id: 'emails', label: 'Emails', icon: _jsx(IconMail, { ...icon }), isShown: can('members:write') },
                {
                    id: 'audit-log',
                    label: 'Audit log',
                    icon: _jsx(IconHistory, { ...icon }),
                    isShown: can('workspace:read'),
                },
                {
                    id: 'trash',
                    label: 'Deleted applications',
                    icon: _jsx(IconTrash, { ...icon }),
                    isShown: can('applications:write'),
                },
            ],
        },
    ].map((group) => ({ ...group, sections: group.sections.filter(({ isShown }) => isShown) }));
    const { section } = route.useSearch();
    const shown = groups.flatMap((group) => group.sections);
    const active = shown.find(({ id }) => id === section) ?? shown[0];
    const Section = sections[active?.id ?? 'general'];
    return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: "Settings", documentTitle: `${active?.label} · Settings` }), _jsx(SettingsLayout, { groups: groups, active: active?.id ?? 'general', linkTo: (id) => linkOptions({ to: '/settings', search: { section: id } }), children: _jsx(Suspense, { fallback: _jsx(Skeleton, { height: 240, radius: "md" }), children: Section !== undefined && _jsx(Section, {}, active?.id) }) })] }));
}
