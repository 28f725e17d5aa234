import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Button, Group, Switch, Text, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { releaseText } from '../../../text/release.ts';
import { plural } from '../../../ui/bytes.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { showDone, showFailure, showUndo } from '../../../ui/toast.tsx';
import { reloadGroups } from '../../groups/group.queries.ts';
import { audienceQuery } from '../release.queries.ts';
import classes from './audience.module.css';
const { audience: text } = releaseText;
/** A group with how many of its members have been notified. Members who joined later can be notified too. */
export function GroupItem({ release, group, canWrite }) {
    const [isAsking, setIsAsking] = useState(false);
    const queryClient = useQueryClient();
    const { id, name, notify, tester_count: members, notified_count: notified, is_active: isActive } = group;
    const isPublished = release.status === 'published';
    const path = { distribution_group_id: id };
    const { queryKey } = audienceQuery(release.application_id, release.id);
    const reload = () => Promise.all([queryClient.invalidateQueries({ queryKey }), reloadGroups(queryClient)]);
    const save = async (nextNotify) => {
        const { notified_count: count } = await api.addDistributionGroupRelease({
            ...path,
            body: { release_id: release.id, notify: nextNotify },
        });
        await reload();
        return count;
    };
    async function remove() {
        try {
            await api.removeDistributionGroupRelease({ ...path, release_id: release.id });
            await reload();
            // Adding it again with `notify` would send emails at once if the release is published.
            showUndo(`Removed from ${name}.`, () => void save(notify && !isPublished).catch(showFailure));
        }
        catch (error) {
            showFailure(error);
        }
    }
    return (_jsxs("li", { className: classes.item, children: [_jsxs("div", { className: classes.text, children: [_jsx(Link, { to: "/groups/$groupId", params: { groupId: id }, children: name }), _jsx("span", { className: isActive ? classes.soft : classes.warn, children: stateOf(group, isPublished) })] }), canWrite && (_jsxs(Group, { gap: "xs", children: [isPublished && isActive && notified < members && (_jsxs(Button, { size: "compact-sm", variant: "default", onClick: () => setIsAsking(true), children: ["Notify ", plural(members - notified, 'person', 'people')] })), !isPublished && isActive && (_jsx(Switch, { label: "Notify", checked: notify, onChange: (event) => void save(event.currentTarget.checked).catch(showFailure) })), _jsx(Tooltip, { label: "Remove from the group", children: _jsx(ActionIcon, { variant: "subtle", color: "gray", size: "lg", "aria-label": `Remove from ${name}`, onClick: () => void remove(), children: _jsx(IconX, { size: 17 }) }) })] })), isAsking && (_jsx(ConfirmDialog, { title: `Notify ${name}`, confirmLabel: "Notify", onClose: () => setIsAsking(false), onConfirm: async () => showDone(`${plural(await save(true), 'person', 'people')} notified.`), children: _jsx(Text, { fz: "sm", children: text.addNow(members - notified) }) }))] }));
}
function stateOf(group, isPublished) {
    const { is_active: isActive, notify, tester_count: members, notified_count: notified } = group;
    if (!isActive)
        return text.inactive;
    if (isPublished || notified > 0)
        return text.notified(notified, members);
    return notify ? text.waiting(members) : text.silent(members);
}
