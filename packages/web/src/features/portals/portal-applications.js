import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Menu } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { portalText, shownText } from '../../text/portals.ts';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { applicationsQuery } from '../applications/application.queries.ts';
import { PortalApplicationDialog } from './portal-application-dialog.tsx';
import classes from './portal-release-list.module.css';
import { PortalReleaseList } from './portal-release-list.tsx';
import { portalReleasesQuery, reloadPortals } from './portal.queries.ts';
/** The applications of a portal, with what the portal shows of each. */
export function PortalApplications({ portal, canEdit }) {
    const { data: applications } = useSuspenseQuery(applicationsQuery);
    const { data: releases = [] } = useQuery(portalReleasesQuery(portal.id));
    const [open, setOpen] = useState();
    const close = () => setOpen(undefined);
    const others = applications.filter(({ id }) => !portal.applications.some((each) => each.id === id));
    const isEmpty = portal.applications.length === 0;
    const add = canEdit && others.length > 0 && (_jsx(Button, { variant: isEmpty ? 'filled' : 'default', leftSection: _jsx(IconPlus, { size: 16 }), onClick: () => setOpen({ dialog: 'add' }), children: "Add an application" }));
    return (_jsxs(SettingsSection, { title: "Applications", action: isEmpty ? undefined : add, children: [isEmpty ? (_jsx(EmptyState, { title: "No applications yet", action: add === false ? undefined : add, children: portalText.noApplications })) : (_jsx(ItemList, { label: "Applications", children: portal.applications.map((application) => (_jsx(ApplicationItem, { portal: portal, application: application, iconUrl: applications.find(({ id }) => id === application.id)?.icon_url ?? null, releases: releases.filter((release) => release.application_id === application.id), canEdit: canEdit, onOpen: (dialog) => setOpen({ dialog, application }) }, application.id))) })), open?.dialog === 'add' && (_jsx(PortalApplicationDialog, { portal: portal, candidates: others, onClose: close })), open?.dialog === 'edit' && (_jsx(PortalApplicationDialog, { portal: portal, application: open.application, onClose: close })), open?.dialog === 'remove' && (_jsx(RemoveDialog, { portal: portal, application: open.application, onClose: close }))] }));
}
function ApplicationItem({ portal, application, iconUrl, releases, canEdit, onOpen }) {
    return (_jsx(Item, { leading: _jsx(ApplicationIcon, { name: application.name, url: iconUrl, size: 32 }), title: _jsx(Link, { to: "/applications/$applicationId", params: { applicationId: application.id }, className: classes.link, children: application.name }), detail: shownText(application, releases.length), menu: canEdit && (_jsxs(RowMenu, { label: `Actions for ${application.name}`, children: [_jsx(Menu.Item, { leftSection: _jsx(IconPencil, { size: 16 }), onClick: () => onOpen('edit'), children: "Choose what is shown" }), _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 16 }), onClick: () => onOpen('remove'), children: "Remove from the portal" })] })), children: application.releases_mode === 'selective' && (_jsx(PortalReleaseList, { portalId: portal.id, application: application, releases: releases, canEdit: canEdit })) }));
}
function RemoveDialog({ portal, application, onClose }) {
    const queryClient = useQueryClient();
    return (_jsx(ConfirmDialog, { title: `Remove ${application.name} from the portal?`, confirmLabel: "Remove", isDangerous: true, onClose: onClose, onConfirm: async () => {
            await api.deletePortalApplication({
                portal_id: portal.id,
                application_id: application.id,
            });
            await reloadPortals(queryClient);
        }, children: portalText.removal }));
}
