import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group } from '@mantine/core';
import { IconLock, IconPlus, IconWorld } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { portalText } from '../../text/portals.ts';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import { plural } from '../../ui/bytes.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import classes from './domain-state.module.css';
import { DomainState } from './domain-state.tsx';
import { NewPortalDialog } from './new-portal-dialog.tsx';
import { portalsQuery } from './portal.queries.ts';
/** Lists the portals of the workspace. */
export function PortalListPage() {
    const { can } = useSession();
    const canEdit = can('portals:write');
    const query = useQuery(portalsQuery);
    const [isCreating, setIsCreating] = useState(false);
    const create = (_jsx(Button, { leftSection: _jsx(IconPlus, { size: 16 }), onClick: () => setIsCreating(true), children: "New portal" }));
    return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: "Portals", facts: "Pages with selected releases and streams, for people without an account", actions: canEdit && query.data?.length !== 0 ? create : undefined }), _jsx(Loaded, { query: query, children: (portals) => portals.length === 0 ? (_jsx(EmptyState, { icon: _jsx(IconWorld, { size: 22 }), title: "No portals yet", action: canEdit ? (_jsxs(_Fragment, { children: [_jsx(Group, { justify: "center", children: create }), _jsx(CommandLine, { code: 'quayside api POST /portals -f name="Downloads" -f type=public' })] })) : undefined, children: portalText.explanation })) : (_jsx(ItemList, { label: "Portals", children: portals.map((portal) => (_jsx(Item, { leading: _jsx(ApplicationIcon, { name: portal.name, url: portal.icon_url, size: 40 }), title: _jsx(Link, { to: "/portals/$portalId/edit", params: { portalId: portal.id }, className: classes.link, children: portal.name }), detail: _jsxs(_Fragment, { children: [_jsx(PortalType, { type: portal.type }), _jsx("span", { children: plural(portal.applications.length, 'application') }), portal.description !== null && _jsx("span", { children: portal.description })] }), end: _jsx(DomainState, { portal: portal }) }, portal.id))) })) }), isCreating && _jsx(NewPortalDialog, { onClose: () => setIsCreating(false) })] }));
}
/** Whether everyone can open the portal. */
export function PortalType({ type }) {
    const Icon = type === 'public' ? IconWorld : IconLock;
    return (_jsxs(Group, { gap: 4, wrap: "nowrap", component: "span", children: [_jsx(Icon, { size: 14, "aria-hidden": true }), type === 'public' ? 'Public' : 'Private'] }));
}
