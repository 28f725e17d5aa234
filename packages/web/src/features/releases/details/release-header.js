import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Button, CopyButton, Menu } from '@mantine/core';
import { IconCalendar, IconCopy, IconDots, IconEyeOff, IconPencil, IconSend, IconTrash, } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { usePageActions } from '../../../frame/page-actions.ts';
import { formatBytes, plural } from '../../../ui/bytes.ts';
import { LabelDot } from '../../../ui/label-dot.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { useDialogFocus } from '../../../ui/use-dialog-focus.ts';
import { ReleaseStatus } from '../release-status.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { DeleteDialog, PublishDialog, ScheduleDialog, WithdrawDialog } from './release-dialogs.tsx';
import classes from './release-page.module.css';
const dialogs = {
    publish: PublishDialog,
    schedule: ScheduleDialog,
    withdraw: WithdrawDialog,
    edit: EditDialog,
    delete: DeleteDialog,
};
const publishLabels = { draft: 'Publish', scheduled: 'Publish now', withdrawn: 'Publish again' };
/** The version, title, status and facts of a release, with its one main action. */
export function ReleaseHeader({ release, applicationName, }) {
    const [open, setOpen] = useState();
    const { can } = useSession();
    const canWrite = can('releases:write', release.application_id);
    const { status } = release;
    const { button, returnFocus } = useDialogFocus();
    const Dialog = open === undefined ? undefined : dialogs[open];
    usePageActions(useMemo(() => !canWrite
        ? []
        : [
            status === 'published'
                ? { id: 'withdraw', label: 'Withdraw this release', onClick: () => setOpen('withdraw') }
                : { id: 'publish', label: 'Publish this release', onClick: () => setOpen('publish') },
            { id: 'edit-release', label: 'Edit this release', onClick: () => setOpen('edit') },
        ], [canWrite, status]));
    return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: _jsxs(_Fragment, { children: [_jsx("span", { className: "tabular", children: release.version }), ' ', _jsx("span", { className: classes.title, children: release.title })] }), documentTitle: `${release.version} · ${applicationName}`, facts: _jsx(Facts, { release: release }), actions: canWrite && (_jsxs(_Fragment, { children: [status === 'published' ? (_jsx(Button, { variant: "default", leftSection: _jsx(IconEyeOff, { size: 16 }), onClick: () => setOpen('withdraw'), children: "Withdraw" })) : (_jsx(Button, { leftSection: _jsx(IconSend, { size: 16 }), onClick: () => setOpen('publish'), children: publishLabels[status] })), _jsx(MoreMenu, { release: release, onSelect: setOpen, button: button })] })) }), Dialog !== undefined && (_jsx(Dialog, { release: release, onClose: () => {
                    setOpen(undefined);
                    if (open !== 'publish')
                        returnFocus();
                } }))] }));
}
function Facts({ release }) {
    const { status, published_at: publishedAt, created_at: createdAt, builds, labels } = release;
    const bytes = builds.reduce((sum, build) => sum + build.size_total_bytes, 0);
    return (_jsxs("span", { className: classes.facts, children: [_jsx(ReleaseStatus, { release: release }), status === 'published' && publishedAt !== null ? (_jsx(RelativeTime, { time: publishedAt })) : (_jsxs("span", { children: ["created ", _jsx(RelativeTime, { time: createdAt })] })), _jsxs("span", { children: [plural(builds.length, 'build'), bytes > 0 && ` · ${formatBytes(bytes)}`] }), labels.map(({ id, name, color }) => (_jsx(LabelDot, { name: name, color: color }, id)))] }));
}
function MoreMenu({ release, onSelect, button }) {
    const { status, id } = release;
    return (_jsxs(Menu, { position: "bottom-end", width: 220, children: [_jsx(Menu.Target, { children: _jsx(ActionIcon, { variant: "default", size: "lg", "aria-label": "More actions", ref: button, children: _jsx(IconDots, { size: 18 }) }) }), _jsxs(Menu.Dropdown, { children: [_jsx(Menu.Item, { leftSection: _jsx(IconPencil, { size: 16 }), onClick: () => onSelect('edit'), children: "Edit version, title, labels" }), status !== 'published' && (_jsx(Menu.Item, { leftSection: _jsx(IconCalendar, { size: 16 }), onClick: () => onSelect('schedule'), children: status === 'scheduled' ? 'Change the time' : 'Schedule' })), status === 'scheduled' && (_jsx(Menu.Item, { leftSection: _jsx(IconEyeOff, { size: 16 }), onClick: () => onSelect('withdraw'), children: "Cancel the publication" })), _jsx(CopyButton, { value: id, children: ({ copy }) => (_jsx(Menu.Item, { leftSection: _jsx(IconCopy, { size: 16 }), onClick: copy, children: "Copy ID" })) }), _jsx(Menu.Divider, {}), _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 16 }), onClick: () => onSelect('delete'), children: "Delete" })] })] }));
}
