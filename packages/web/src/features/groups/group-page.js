import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Alert, Button, Menu, Tabs } from '@mantine/core';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { optionalOneOf } from '../../api/search-params.ts';
import { useSession } from '../../api/session.ts';
import { groupText } from '../../text/groups.ts';
import { plural } from '../../ui/bytes.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { showDone, showFailure } from '../../ui/toast.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { GroupDownloads } from './group-downloads.tsx';
import { GroupIcon } from './group-icon.tsx';
import { GroupBadges } from './group-list-page.tsx';
import { GroupMembers } from './group-members.tsx';
import classes from './group-page.module.css';
import { GroupReleases } from './group-releases.tsx';
import { groupChanged, groupQuery, groupsQuery } from './group.queries.ts';
const route = getRouteApi('/console/groups/$groupId');
/** Shows the members, releases and downloads of a group. */
export function GroupPage() {
    const { groupId } = route.useParams();
    const navigate = route.useNavigate();
    const { data: group } = useSuspenseQuery(groupQuery(groupId));
    const { can } = useSession();
    const canEdit = can('distribution_groups:write');
    const tab = optionalOneOf(route.useSearch().tab, ['releases', 'downloads']) ?? 'members';
    return (_jsxs(_Fragment, { children: [_jsx(Link, { to: "/groups", className: classes.back, children: "\u2039 Groups" }), _jsx(PageHeader, { title: _jsxs("span", { className: classes.title, children: [group.name, _jsx(GroupBadges, { group: group })] }), documentTitle: group.name, icon: _jsx(GroupIcon, { group: group, size: 44 }), facts: [plural(group.tester_count, 'member'), group.description].filter(Boolean).join(' · '), actions: canEdit ? _jsx(GroupMenu, { group: group }) : undefined }), !group.is_active && _jsx(InactiveBanner, { group: group, canEdit: canEdit }), _jsxs(Tabs, { value: tab, onChange: (value) => void navigate({
                    search: { tab: value === 'members' ? undefined : (value ?? undefined) },
                    replace: true,
                }), children: [_jsxs(Tabs.List, { mb: "md", children: [_jsx(Tabs.Tab, { value: "members", children: "Members" }), _jsx(Tabs.Tab, { value: "releases", children: "Releases" }), _jsx(Tabs.Tab, { value: "downloads", children: "Downloads" })] }), _jsx(Tabs.Panel, { value: "members", children: _jsx(GroupMembers, { group: group, canEdit: canEdit }) }), _jsx(Tabs.Panel, { value: "releases", children: _jsx(GroupReleases, { group: group, canEdit: canEdit }) }), _jsx(Tabs.Panel, { value: "downloads", children: _jsx(GroupDownloads, { group: group }) })] })] }));
}
function useActivation(group) {
    const queryClient = useQueryClient();
    return async (isActive) => {
        const { data } = await api.updateDistributionGroup({
            distribution_group_id: group.id,
            body: { is_active: isActive },
        });
        await groupChanged(queryClient, data);
        showDone(isActive ? 'Group activated.' : 'Group deactivated.');
    };
}
function InactiveBanner({ group, canEdit }) {
    const setActive = useActivation(group);
    return (_jsx(Alert, { className: classes.banner, classNames: { title: classes.bannerTitle, icon: classes.bannerIcon }, mb: "md", icon: _jsx(IconPlayerPause, { size: 18 }), title: groupText.inactive, children: canEdit && (_jsx(Button, { variant: "default", size: "xs", onClick: () => void setActive(true).catch(showFailure), children: "Activate" })) }));
}
function GroupMenu({ group }) {
    const queryClient = useQueryClient();
    const navigate = useNavigate();
    const setActive = useActivation(group);
    const [open, setOpen] = useState();
    const close = () => setOpen(undefined);
    async function remove() {
        await api.deleteDistributionGroup({ distribution_group_id: group.id });
        queryClient.setQueryData(groupsQuery.queryKey, (groups) => groups?.filter(({ id }) => id !== group.id));
        await navigate({ to: '/groups' });
        queryClient.removeQueries({ queryKey: groupQuery(group.id).queryKey });
        showDone('Group deleted.');
    }
    return (_jsxs(_Fragment, { children: [_jsxs(RowMenu, { label: "More actions", children: [_jsx(Menu.Item, { leftSection: _jsx(IconPencil, { size: 16 }), onClick: () => setOpen('edit'), children: "Edit" }), group.is_active ? (_jsx(Menu.Item, { leftSection: _jsx(IconPlayerPause, { size: 16 }), onClick: () => setOpen('deactivate'), children: "Deactivate" })) : (_jsx(Menu.Item, { leftSection: _jsx(IconPlayerPlay, { size: 16 }), onClick: () => void setActive(true).catch(showFailure), children: "Activate" })), _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 16 }), onClick: () => setOpen('delete'), children: "Delete group" })] }), open === 'edit' && _jsx(GroupDialog, { group: group, onClose: close }), open === 'deactivate' && (_jsx(ConfirmDialog, { title: `Deactivate ${group.name}?`, confirmLabel: "Deactivate", onConfirm: () => setActive(false), onClose: close, children: groupText.deactivation })), open === 'delete' && (_jsx(ConfirmDialog, { title: `Delete the group ${group.name}?`, confirmLabel: "Delete group", isDangerous: true, onConfirm: remove, onClose: close, children: groupText.deletion }))] }));
}
