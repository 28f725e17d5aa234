import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Skeleton, Switch, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { releaseText } from '../../../text/release.ts';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { Section } from '../../../ui/section.tsx';
import { showDone, showFailure } from '../../../ui/toast.tsx';
import { portalReleasesQuery } from '../../portals/portal.queries.ts';
import { audienceQuery } from '../release.queries.ts';
import { AddGroupDialog } from './add-group-dialog.tsx';
import classes from './audience.module.css';
import { GroupItem } from './group-item.tsx';
const { audience: text } = releaseText;
/** The groups whose members are notified of a release, and the portals that show it. */
export function Audience({ release }) {
    const [isAdding, setIsAdding] = useState(false);
    const { can } = useSession();
    const { data, error, refetch } = useQuery(audienceQuery(release.application_id, release.id));
    if (error !== null)
        return _jsx(FailureBanner, { error: error, onRetry: () => void refetch() });
    if (data === undefined)
        return _jsx(Skeleton, { height: 180, radius: "lg", mt: "lg" });
    const canAdd = can('distribution_groups:write');
    return (_jsxs("div", { className: classes.page, children: [_jsxs(Section, { title: "Distribution groups", actions: canAdd && (_jsx(Button, { size: "xs", variant: "default", leftSection: _jsx(IconPlus, { size: 15 }), onClick: () => setIsAdding(true), children: "Add to a group" })), children: [_jsx(Text, { fz: "sm", c: "dimmed", mb: "sm", children: text.groupsHelp }), data.groups.length === 0 ? (_jsx("div", { className: classes.empty, children: text.noGroups })) : (_jsx("ul", { className: classes.list, children: data.groups.map((group) => (_jsx(GroupItem, { release: release, group: group, canWrite: canAdd }, group.id))) }))] }), _jsxs(Section, { title: "Portals", children: [_jsx(Text, { fz: "sm", c: "dimmed", mb: "sm", children: text.portalsHelp }), data.portals.length === 0 ? (_jsxs("div", { className: classes.empty, children: ["No portal contains this application.", ' ', can('portals:write') && _jsx(Link, { to: "/portals", children: "Open portals" })] })) : (_jsx("ul", { className: classes.list, children: data.portals.map((portal) => (_jsx(PortalItem, { release: release, portal: portal, canWrite: can('portals:write') }, portal.id))) }))] }), isAdding && (_jsx(AddGroupDialog, { release: release, existing: data.groups.map(({ id }) => id), onClose: () => setIsAdding(false) }))] }));
}
/** A portal with a switch that shows the release in it, if the portal shows only selected releases. */
function PortalItem({ release, portal, canWrite }) {
    const queryClient = useQueryClient();
    const { queryKey } = audienceQuery(release.application_id, release.id);
    const { id, name, type, releases_mode: mode, is_included: isIncluded } = portal;
    async function include(next) {
        queryClient.setQueryData(queryKey, (audience) => audience && {
            ...audience,
            portals: audience.portals.map((each) => (each.id === id ? { ...each, is_included: next } : each)),
        });
        try {
            if (next)
                await api.publishPortalRelease({ portal_id: id, body: { release_id: release.id } });
            else
                await api.withdrawPortalRelease({ portal_id: id, release_id: release.id });
            showDone(next ? `${name} shows this release.` : `${name} no longer shows this release.`);
        }
        catch (error) {
            showFailure(error);
        }
        finally {
            await Promise.all([
                queryClient.invalidateQueries({ queryKey }),
                queryClient.invalidateQueries({ queryKey: portalReleasesQuery(id).queryKey }),
            ]);
        }
    }
    return (_jsxs("li", { className: classes.item, children: [_jsxs("div", { className: classes.text, children: [_jsx("a", { href: portal.portal_url, target: "_blank", rel: "noreferrer", children: name }), _jsxs("span", { className: classes.soft, children: [type === 'public' ? 'Public' : 'Private', text.modes[mode] !== '' && ` · ${text.modes[mode]}`] })] }), mode === 'selective' && (_jsx(Switch, { checked: isIncluded, disabled: !canWrite, onChange: (event) => void include(event.currentTarget.checked), "aria-label": `Show in ${name}` }))] }));
}
