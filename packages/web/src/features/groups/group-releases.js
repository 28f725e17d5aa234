import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Menu } from '@mantine/core';
import { IconMail, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { groupReleaseState, groupText } from '../../text/groups.ts';
import { plural } from '../../ui/bytes.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { showDone, showFailure, showUndo } from '../../ui/toast.tsx';
import { AddReleaseDialog } from './add-release-dialog.tsx';
import classes from './group-members.module.css';
import { groupReleasesQuery, reloadGroups } from './group.queries.ts';
/** The releases that the members of a group can download. */
export function GroupReleases({ group, canEdit }) {
    const query = useQuery(groupReleasesQuery(group.id));
    const [isAdding, setIsAdding] = useState(false);
    const add = canEdit && (_jsx(Button, { leftSection: _jsx(IconPlus, { size: 16 }), onClick: () => setIsAdding(true), children: "Add a release" }));
    return (_jsxs(_Fragment, { children: [_jsx(Loaded, { query: query, children: (releases) => releases.length === 0 ? (_jsx(EmptyState, { title: "No releases yet", action: add === false ? undefined : (_jsxs(_Fragment, { children: [add, _jsx(CommandLine, { code: `quayside api POST /distribution-groups/${group.id}/releases -f release_id=<id> -F notify=true` })] })), children: groupText.noReleases })) : (_jsxs(_Fragment, { children: [add !== false && (_jsxs("div", { className: classes.toolbar, children: [_jsx("span", {}), add] })), _jsx(ItemList, { label: "Releases", children: releases.map((release) => (_jsx(ReleaseItem, { group: group, release: release, canEdit: canEdit }, release.id))) })] })) }), isAdding && (_jsx(AddReleaseDialog, { group: group, added: query.data ?? [], onClose: () => setIsAdding(false) }))] }));
}
function ReleaseItem({ group, release, canEdit }) {
    const queryClient = useQueryClient();
    const path = { distribution_group_id: group.id, release_id: release.id };
    const { version, title } = release;
    async function add(notify) {
        const { notified_count: count } = await api.addDistributionGroupRelease({
            distribution_group_id: group.id,
            body: { release_id: release.id, notify },
        });
        await reloadGroups(queryClient);
        return count;
    }
    async function notify() {
        const count = await add(true);
        showDone(count === 0 ? 'Every member has already been notified.' : `${plural(count, 'member')} notified.`);
    }
    async function remove() {
        await api.removeDistributionGroupRelease(path);
        await reloadGroups(queryClient);
        // Members of a published release have been notified already, and those who were added since are not notified now.
        const mayNotify = release.notify && release.status !== 'published' && group.is_active;
        showUndo(`${version} removed from the group.`, () => void add(mayNotify).catch(showFailure));
    }
    return (_jsx(Item, { isMuted: release.status === 'withdrawn', title: _jsx(Link, { to: "/applications/$applicationId/releases/$releaseId", params: { applicationId: release.application_id, releaseId: release.id }, className: classes.link, children: title === version ? version : `${version} · ${title}` }), detail: _jsxs(_Fragment, { children: [_jsx("span", { children: release.application_name }), _jsx("span", { children: groupReleaseState(release) })] }), end: _jsxs("span", { children: ["added ", _jsx(RelativeTime, { time: release.added_at })] }), menu: canEdit && (_jsxs(RowMenu, { label: `Actions for ${version}`, children: [release.status === 'published' && (_jsx(Menu.Item, { leftSection: _jsx(IconMail, { size: 16 }), disabled: !group.is_active || group.tester_count === 0, onClick: () => void notify().catch(showFailure), children: "Notify members who have no email yet" })), _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 16 }), onClick: () => void remove().catch(showFailure), children: "Remove from the group" })] })) }));
}
