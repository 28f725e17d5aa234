import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Kbd, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { IconHome, IconPlus, IconSearch, IconSettings, IconUpload, IconUsersGroup, IconWorld, } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useSession } from '../api/session.ts';
import { applicationsQuery } from '../features/applications/application.queries.ts';
import { SidebarUploads } from '../features/uploads/sidebar-uploads.tsx';
import { ApplicationIcon } from '../ui/application-icon.tsx';
import { SideNavLink } from '../ui/side-nav-link.tsx';
import { openPalette } from './palette-store.ts';
import classes from './sidebar.module.css';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceMenu } from './workspace-menu.tsx';
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** Lists the applications and the pages of the workspace. */
export function Sidebar() {
    const { can, applications: memberships } = useSession();
    const { data: applications } = useSuspenseQuery(applicationsQuery);
    const canUpload = can('builds:create') || memberships?.some(({ scopes }) => scopes.includes('builds:create')) === true;
    return (_jsxs("nav", { className: classes.sidebar, "aria-label": "Main", children: [_jsx(WorkspaceMenu, {}), _jsxs(UnstyledButton, { className: classes.search, onClick: openPalette, children: [_jsx(IconSearch, { size: 16 }), _jsx("span", { children: "Search" }), _jsx(Kbd, { size: "xs", children: isMac ? '⌘K' : 'Ctrl K' })] }), _jsx(SideNavLink, { to: "/", icon: _jsx(IconHome, { size: 18 }), activeOptions: { exact: true }, children: "Home" }), canUpload && (_jsx(SideNavLink, { to: "/upload", icon: _jsx(IconUpload, { size: 18 }), children: "Upload" })), _jsx(Text, { component: "h2", className: classes.heading, children: "Applications" }), _jsxs(ScrollArea, { className: classes.applications, type: "hover", scrollbarSize: 6, children: [applications.map(({ id, name, icon_url: url }) => (_jsx(SideNavLink, { to: "/applications/$applicationId", params: { applicationId: id }, icon: _jsx(ApplicationIcon, { name: name, url: url, size: 20 }), children: name }, id))), can('applications:create') && (_jsx(SideNavLink, { to: "/applications/new", icon: _jsx(IconPlus, { size: 18 }), children: "New application" }))] }), _jsxs("div", { className: classes.workspace, children: [can('portals:read') && (_jsx(SideNavLink, { to: "/portals", icon: _jsx(IconWorld, { size: 18 }), children: "Portals" })), can('distribution_groups:read') && (_jsx(SideNavLink, { to: "/groups", icon: _jsx(IconUsersGroup, { size: 18 }), children: "Groups" })), _jsx(SideNavLink, { to: "/settings", icon: _jsx(IconSettings, { size: 18 }), children: "Settings" })] }), _jsx(SidebarUploads, {}), _jsx(UserMenu, {})] }));
}
