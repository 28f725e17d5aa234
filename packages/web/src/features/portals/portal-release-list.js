import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Menu } from '@mantine/core';
import { IconEyeOff, IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { portalText } from '../../text/portals.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { showFailure, showUndo } from '../../ui/toast.tsx';
import classes from './portal-release-list.module.css';
import { portalChanged, reloadPortals } from './portal.queries.ts';
import { PublishReleasesDialog } from './publish-releases-dialog.tsx';
/** The releases of an application that were published individually in the portal. */
export function PortalReleaseList({ portalId, application, releases, canEdit }) {
    const queryClient = useQueryClient();
    const [isPublishing, setIsPublishing] = useState(false);
    async function withdraw({ id, version }) {
        await api.withdrawPortalRelease({ portal_id: portalId, release_id: id });
        await reloadPortals(queryClient);
        showUndo(`${version} withdrawn from the portal.`, () => void publish(id).catch(showFailure));
    }
    async function publish(releaseId) {
        const { data } = await api.publishPortalRelease({ portal_id: portalId, body: { release_id: releaseId } });
        await portalChanged(queryClient, data);
    }
    return (_jsxs("div", { className: classes.box, children: [releases.length === 0 && _jsx("p", { className: classes.soft, children: portalText.noReleases }), _jsx("ul", { className: classes.list, "aria-label": `Releases of ${application.name}`, children: releases.map((release) => (_jsxs("li", { className: classes.release, children: [_jsx(Link, { to: "/applications/$applicationId/releases/$releaseId", params: { applicationId: application.id, releaseId: release.id }, className: classes.version, children: release.version }), _jsx("span", { className: classes.title, children: release.title !== release.version && release.title }), _jsx("span", { className: classes.soft, children: _jsx(RelativeTime, { time: release.published_at }) }), canEdit && (_jsx(RowMenu, { label: `Actions for ${release.version}`, children: _jsx(Menu.Item, { leftSection: _jsx(IconEyeOff, { size: 16 }), onClick: () => void withdraw(release).catch(showFailure), children: "Withdraw from the portal" }) }))] }, release.id))) }), canEdit && (_jsx(Button, { variant: "subtle", size: "xs", leftSection: _jsx(IconPlus, { size: 15 }), onClick: () => setIsPublishing(true), children: "Publish releases" })), isPublishing && (_jsx(PublishReleasesDialog, { application: application, published: releases, onPublish: publish, onClose: () => setIsPublishing(false) }))] }));
}
