import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Badge, Button, Group } from '@mantine/core';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { groupText } from '../../text/groups.ts';
import { plural } from '../../ui/bytes.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { GroupIcon } from './group-icon.tsx';
import classes from './group-members.module.css';
import { groupsQuery } from './group.queries.ts';
/** Lists the distribution groups of the workspace. */
export function GroupListPage() {
    const { can } = useSession();
    const canCreate = can('distribution_groups:create');
    const query = useQuery(groupsQuery);
    const [isCreating, setIsCreating] = useState(false);
    const create = (_jsx(Button, { leftSection: _jsx(IconPlus, { size: 16 }), onClick: () => setIsCreating(true), children: "New group" }));
    return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: "Distribution groups", documentTitle: "Groups", facts: "People who get releases by personal links", actions: canCreate && query.data?.length !== 0 ? create : undefined }), _jsx(Loaded, { query: query, children: (groups) => groups.length === 0 ? (_jsx(EmptyState, { icon: _jsx(IconUsersGroup, { size: 22 }), title: "No groups yet", action: canCreate ? (_jsxs(_Fragment, { children: [_jsx(Group, { justify: "center", children: create }), _jsx(CommandLine, { code: 'quayside api POST /distribution-groups -f name="Beta testers"' })] })) : undefined, children: groupText.explanation })) : (_jsx(ItemList, { label: "Distribution groups", children: groups.map((group) => (_jsx(GroupItem, { group: group }, group.id))) })) }), isCreating && _jsx(GroupDialog, { onClose: () => setIsCreating(false) })] }));
}
function GroupItem({ group }) {
    return (_jsx(Item, { leading: _jsx(GroupIcon, { group: group }), isMuted: !group.is_active, title: _jsxs(_Fragment, { children: [_jsx(Link, { to: "/groups/$groupId", params: { groupId: group.id }, className: classes.link, children: group.name }), _jsx(GroupBadges, { group: group })] }), detail: group.description ?? undefined, end: _jsx("span", { className: "tabular", children: plural(group.tester_count, 'member') }) }));
}
/** Marks what distinguishes a group from an active external one. */
export function GroupBadges({ group: { type, is_active: isActive } }) {
    return (_jsxs(_Fragment, { children: [type === 'internal' && (_jsx(Badge, { size: "sm", variant: "default", tt: "none", fw: 500, children: "Internal" })), !isActive && (_jsx(Badge, { size: "sm", variant: "light", color: "yellow", c: "var(--q-warn)", tt: "none", fw: 500, children: "Inactive" }))] }));
}
