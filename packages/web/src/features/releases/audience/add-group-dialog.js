import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Checkbox, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { releaseText } from '../../../text/release.ts';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { showDone } from '../../../ui/toast.tsx';
import { groupsQuery, reloadGroups } from '../../groups/group.queries.ts';
import { audienceQuery } from '../release.queries.ts';
const { audience: text } = releaseText;
/** Adds a release to a group, and says who is notified when. */
export function AddGroupDialog({ release, existing, onClose }) {
    const { data: groups, error: loadError } = useQuery(groupsQuery);
    const [groupId, setGroupId] = useState(null);
    const [notify, setNotify] = useState(true);
    const [error, setError] = useState();
    const [isRunning, setIsRunning] = useState(false);
    const queryClient = useQueryClient();
    const options = groups?.filter(({ id }) => !existing.includes(id));
    const group = options?.find(({ id }) => id === groupId);
    const isNotifying = notify && group?.is_active !== false;
    async function add() {
        if (group === undefined)
            return;
        setIsRunning(true);
        try {
            const { message } = await api.addDistributionGroupRelease({
                distribution_group_id: group.id,
                body: { release_id: release.id, notify: isNotifying },
            });
            const { queryKey } = audienceQuery(release.application_id, release.id);
            await Promise.all([queryClient.invalidateQueries({ queryKey }), reloadGroups(queryClient)]);
            showDone(message);
            onClose();
        }
        catch (failure) {
            setError(failure);
        }
        finally {
            setIsRunning(false);
        }
    }
    const failure = error ?? loadError ?? undefined;
    return (_jsx(Modal, { opened: true, onClose: onClose, title: "Add to a group", children: _jsx("form", { onSubmit: (event) => {
                event.preventDefault();
                void add();
            }, children: _jsxs(Stack, { children: [options?.length === 0 ? (_jsxs(Text, { fz: "sm", children: [groups?.length === 0 ? 'There are no groups yet.' : 'Every group already has this release.', ' ', _jsx(Link, { to: "/groups", children: "Open groups" })] })) : (_jsxs(_Fragment, { children: [_jsx(Select, { label: "Group", placeholder: "Choose a group", searchable: true, data: options?.map(({ id, name }) => ({ value: id, label: name })) ?? [], value: groupId, onChange: setGroupId, "data-autofocus": true }), _jsx(Checkbox, { label: "Notify the members by email", checked: isNotifying, disabled: group?.is_active === false, onChange: (event) => setNotify(event.currentTarget.checked) }), _jsx(Text, { fz: "sm", c: "dimmed", mih: "1.5em", "aria-live": "polite", children: group === undefined ? '' : sentenceOf(group, isNotifying, release.status === 'published') })] })), failure !== undefined && _jsx(FailureBanner, { error: failure }), _jsxs(Group, { justify: "flex-end", gap: "xs", children: [_jsx(Button, { variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { type: "submit", disabled: group === undefined, loading: isRunning, children: isNotifying && release.status === 'published' ? 'Add and notify' : 'Add' })] })] }) }) }));
}
function sentenceOf({ is_active: isActive, tester_count: members }, isNotifying, isPublished) {
    if (!isActive)
        return `${text.inactive}.`;
    if (!isNotifying)
        return text.quiet;
    return isPublished ? text.addNow(members) : text.addLater(members);
}
