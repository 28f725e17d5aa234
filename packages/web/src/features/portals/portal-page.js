import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Menu } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { portalText } from '../../text/portals.ts';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { showDone } from '../../ui/toast.tsx';
import { PortalApplications } from './portal-applications.tsx';
import { PortalDetails } from './portal-details.tsx';
import { PortalDomain } from './portal-domain.tsx';
import { PortalType } from './portal-list-page.tsx';
import classes from './portal-page.module.css';
import { PortalPreview } from './portal-preview.tsx';
import { portalQuery, portalsQuery } from './portal.queries.ts';
const route = getRouteApi('/console/portals/$portalId/edit');
/** Edits a portal beside a preview of what visitors see. */
export function PortalPage() {
    const { portalId } = route.useParams();
    const { data: portal } = useSuspenseQuery(portalQuery(portalId));
    const { can } = useSession();
    const canEdit = can('portals:write');
    return (_jsxs(_Fragment, { children: [_jsx(Link, { to: "/portals", className: classes.back, children: "\u2039 Portals" }), _jsx(PageHeader, { title: portal.name, icon: _jsx(ApplicationIcon, { name: portal.name, url: portal.icon_url, size: 44 }), facts: _jsxs("span", { className: classes.facts, children: [_jsx(PortalType, { type: portal.type }), _jsx(Copyable, { value: portal.portal_url, label: "address" })] }), actions: canEdit ? _jsx(PortalMenu, { portalId: portal.id, name: portal.name }) : undefined }), _jsxs("div", { className: classes.columns, children: [_jsxs("div", { children: [_jsx(PortalApplications, { portal: portal, canEdit: canEdit }), _jsx(PortalDetails, { portal: portal, canEdit: canEdit }, `details ${portal.id}`), _jsx(PortalDomain, { portal: portal, canEdit: canEdit }, `domain ${portal.id}`)] }), _jsx(PortalPreview, { portal: portal })] })] }));
}
function PortalMenu({ portalId, name }) {
    const queryClient = useQueryClient();
    const navigate = useNavigate();
    const [isDeleting, setIsDeleting] = useState(false);
    async function remove() {
        await api.deletePortal({ portal_id: portalId });
        queryClient.setQueryData(portalsQuery.queryKey, (portals) => portals?.filter(({ id }) => id !== portalId));
        await navigate({ to: '/portals' });
        queryClient.removeQueries({ queryKey: portalQuery(portalId).queryKey });
        showDone('Portal deleted.');
    }
    return (_jsxs(_Fragment, { children: [_jsx(RowMenu, { label: "More actions", children: _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 16 }), onClick: () => setIsDeleting(true), children: "Delete portal" }) }), isDeleting && (_jsx(ConfirmDialog, { title: `Delete the portal ${name}?`, confirmLabel: "Delete portal", isDangerous: true, onConfirm: remove, onClose: () => setIsDeleting(false), children: portalText.deletion }))] }));
}
