import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Checkbox, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconTrash, IconUserPlus } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { groupText } from '../../text/groups.ts';
import { formatCount, plural } from '../../ui/bytes.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showFailure, showUndo } from '../../ui/toast.tsx';
import { AddMembersDialog } from './add-members-dialog.tsx';
import classes from './group-members.module.css';
import { groupMembersQuery, reloadGroups } from './group.queries.ts';
/** The members of a group, who are added by pasting addresses and removed with undo. */
export function GroupMembers({ group, canEdit }) {
    const { can } = useSession();
    const [text, setText] = useState('');
    const [search] = useDebouncedValue(text.trim(), 150);
    const [isAdding, setIsAdding] = useState(false);
    const query = useInfiniteQuery({
        ...groupMembersQuery(group.id, search),
        placeholderData: keepPreviousData,
    });
    const add = canEdit && (_jsx(Button, { leftSection: _jsx(IconUserPlus, { size: 16 }), onClick: () => setIsAdding(true), children: "Add members" }));
    return (_jsxs(_Fragment, { children: [group.tester_count === 0 ? (_jsx(EmptyState, { title: "No members yet", action: add === false ? undefined : (_jsxs(_Fragment, { children: [add, _jsx(CommandLine, { code: `quayside api POST /distribution-groups/${group.id}/members -f 'emails[]=tester@example.com'` })] })), children: groupText.noMembers })) : (_jsxs(_Fragment, { children: [_jsxs("div", { className: classes.toolbar, children: [can('members:read') && (_jsx(TextInput, { className: classes.search, "data-list-search": true, leftSection: _jsx(IconSearch, { size: 15 }), placeholder: "Email address", "aria-label": "Search members", maxLength: 100, value: text, onChange: (event) => setText(event.currentTarget.value) })), add] }), _jsx(Loaded, { query: query, rows: 6, children: ({ pages }) => (_jsx(MemberList, { groupId: group.id, members: pages.flatMap(({ data }) => data), total: pages[0]?.pagination.total ?? 0, canEdit: canEdit })) }), query.hasNextPage && (_jsx(Button, { variant: "default", mt: "sm", loading: query.isFetchingNextPage, onClick: () => void query.fetchNextPage(), children: "Show more members" }))] })), isAdding && _jsx(AddMembersDialog, { group: group, onClose: () => setIsAdding(false) })] }));
}
function MemberList({ groupId, members, total, canEdit }) {
    const queryClient = useQueryClient();
    const [selected, setSelected] = useState(new Set());
    const shown = members.filter(({ id }) => selected.has(id));
    if (members.length === 0)
        return (_jsx(Text, { c: "dimmed", fz: "sm", children: "No member has this text in the address." }));
    async function remove() {
        const emails = shown.flatMap(({ email }) => (email === null ? [] : [email]));
        const params = { distribution_group_id: groupId, body: { emails } };
        const { removed_count: count } = await api.removeDistributionGroupMembers(params);
        setSelected(new Set());
        await reloadGroups(queryClient);
        const undo = async () => {
            await api.createDistributionGroupMembers(params);
            await reloadGroups(queryClient);
        };
        showUndo(`${plural(count, 'member')} removed.`, () => void undo().catch(showFailure));
    }
    const toggle = (id) => setSelected(selected.symmetricDifference(new Set([id])));
    // Members are removed by address, which is hidden from people who may not read the members of the workspace.
    const canSelect = canEdit && members.some(({ email }) => email !== null);
    return (_jsxs("div", { className: classes.list, children: [_jsxs("div", { className: classes.head, children: [canSelect && (_jsx(Checkbox, { "aria-label": "Select all members that are shown", checked: shown.length === members.length, indeterminate: shown.length > 0 && shown.length < members.length, onChange: () => setSelected(shown.length === members.length ? new Set() : new Set(members.map(({ id }) => id))) })), _jsx("span", { className: classes.count, children: shown.length > 0 ? `${formatCount(shown.length)} selected` : plural(total, 'member') }), shown.length > 0 && (_jsx(Button, { size: "xs", variant: "default", leftSection: _jsx(IconTrash, { size: 15 }), onClick: () => void remove().catch(showFailure), children: "Remove" }))] }), _jsx("ul", { className: classes.rows, "aria-label": "Members", children: members.map(({ id, email, added_at: addedAt }) => (_jsxs("li", { className: classes.row, "data-selected": selected.has(id) || undefined, children: [canSelect ? (_jsx(Checkbox, { className: classes.email, label: email ?? 'Hidden address', checked: selected.has(id), onChange: () => toggle(id) })) : (_jsx("span", { className: classes.email, children: email ?? 'Hidden address' })), _jsxs("span", { className: classes.soft, children: ["added ", _jsx(RelativeTime, { time: addedAt })] })] }, id))) })] }));
}
