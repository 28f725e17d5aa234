import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Menu, Text } from '@mantine/core';
import { IconArrowsDiff, IconFolder, IconPackageExport, IconRestore, IconTag, IconTrash, } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { plural } from '../../ui/bytes.ts';
import { LabelDot } from '../../ui/label-dot.tsx';
import { useBuildAction } from './build-actions.ts';
import { buildChanges } from './build-changes.ts';
import { labelsQuery, streamsQuery } from './build.queries.ts';
import classes from './selection-bar.module.css';
/** Offers what can be done with the selected builds. */
export function SelectionBar({ applicationId, builds, isTrash, onClear }) {
    const { can } = useSession();
    const run = useBuildAction(applicationId);
    const apply = (action) => {
        void run(builds, action);
        onClear();
    };
    const [first, second] = builds;
    if (first === undefined)
        return null;
    const canWrite = can('builds:write', applicationId);
    return (_jsxs("div", { className: classes.bar, role: "toolbar", "aria-label": "Selected builds", children: [_jsxs(Text, { fz: "sm", fw: 600, children: [plural(builds.length, 'build'), " selected"] }), canWrite && !isTrash && (_jsxs(_Fragment, { children: [_jsx(MoveMenu, { applicationId: applicationId, builds: builds, apply: apply }), _jsx(LabelMenu, { applicationId: applicationId, builds: builds, apply: apply })] })), can('releases:create', applicationId) && !isTrash && (_jsx(ButtonLink, { size: "xs", variant: "default", leftSection: _jsx(IconPackageExport, { size: 15 }), to: "/applications/$applicationId/releases/new", params: { applicationId }, search: { builds: builds.map(({ id }) => id).join(',') }, children: "New release" })), builds.length === 2 && second !== undefined && !isTrash && (_jsx(ButtonLink, { size: "xs", variant: "default", leftSection: _jsx(IconArrowsDiff, { size: 15 }), to: "/applications/$applicationId/builds/$buildId", params: { applicationId, buildId: first.id }, search: { tab: 'compare', with: second.id }, children: "Compare" })), canWrite && !isTrash && (_jsx(Button, { size: "xs", variant: "default", c: "red", leftSection: _jsx(IconTrash, { size: 15 }), onClick: () => apply(buildChanges.delete()), children: "Delete" })), canWrite && isTrash && (_jsx(Button, { size: "xs", variant: "default", leftSection: _jsx(IconRestore, { size: 15 }), onClick: () => apply(buildChanges.restore()), children: "Restore" })), _jsx(Button, { size: "xs", variant: "subtle", color: "gray", onClick: onClear, rightSection: _jsx("kbd", { children: "Esc" }), children: "Clear" })] }));
}
function MoveMenu({ applicationId, builds, apply }) {
    const { data: streams = [] } = useQuery(streamsQuery(applicationId));
    const origins = new Set(builds.map(({ stream }) => stream.id));
    const origin = origins.size === 1 ? builds[0]?.stream : undefined;
    return (_jsxs(Menu, { position: "top-start", children: [_jsx(Menu.Target, { children: _jsx(Button, { size: "xs", variant: "default", leftSection: _jsx(IconFolder, { size: 15 }), children: "Move" }) }), _jsxs(Menu.Dropdown, { children: [_jsx(Menu.Label, { children: "Move to the stream" }), streams.map((stream) => (_jsx(Menu.Item, { disabled: stream.id === origin?.id, onClick: () => apply(buildChanges.move(stream, origin)), children: stream.name }, stream.id)))] })] }));
}
function LabelMenu({ applicationId, builds, apply }) {
    const { data: labels = [] } = useQuery(labelsQuery(applicationId));
    return (_jsxs(Menu, { position: "top-start", children: [_jsx(Menu.Target, { children: _jsx(Button, { size: "xs", variant: "default", leftSection: _jsx(IconTag, { size: 15 }), children: "Label" }) }), _jsxs(Menu.Dropdown, { children: [labels.length === 0 && _jsx(Menu.Label, { children: "No labels yet. Create them in the settings." }), labels.map((label) => {
                        const isOnAll = builds.every((build) => build.labels.some(({ id }) => id === label.id));
                        return (_jsx(Menu.Item, { onClick: () => apply(isOnAll ? buildChanges.unlabel(label) : buildChanges.label(label)), rightSection: isOnAll ? 'remove' : null, children: _jsx(LabelDot, { name: label.name, color: label.color }) }, label.id));
                    })] })] }));
}
