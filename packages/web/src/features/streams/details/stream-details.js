import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconChevronLeft, IconDots, IconList, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { ButtonLink } from '../../../ui/button-link.tsx';
import { formatBytes, plural } from '../../../ui/bytes.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { useDialogFocus } from '../../../ui/use-dialog-focus.ts';
import { joinValues } from '../../builds/build-list.search.ts';
import { StreamFormDialog } from '../stream-form-dialog.tsx';
import { retentionSummaryQuery } from '../stream.queries.ts';
import { DeleteStreamDialog } from './delete-stream-dialog.tsx';
import { Retention } from './retention.tsx';
import classes from './stream-details.module.css';
/** A stream with its retention and what that does to each of its builds. */
export function StreamDetails({ application, stream, streams }) {
    const { id: applicationId } = application;
    const [dialog, setDialog] = useState();
    const { can } = useSession();
    const canWrite = can('application:write', applicationId);
    const { data: summary } = useQuery(retentionSummaryQuery(applicationId, stream.id));
    const buildCount = summary === undefined ? 0 : summary.goes.builds + summary.stays.builds;
    const bytes = summary === undefined ? 0 : summary.goes.size_total_bytes + summary.stays.size_total_bytes;
    const { button, returnFocus } = useDialogFocus();
    const onClose = () => {
        if (dialog === 'delete')
            returnFocus();
        setDialog(undefined);
    };
    return (_jsxs(_Fragment, { children: [_jsxs(Link, { to: "/applications/$applicationId/streams", params: { applicationId }, className: classes.back, children: [_jsx(IconChevronLeft, { size: 15, "aria-hidden": true }), "Streams"] }), _jsx(PageHeader, { title: stream.name, documentTitle: `${stream.name} · ${application.name}`, facts: _jsxs(_Fragment, { children: [summary === undefined ? '\u00A0' : `${plural(buildCount, 'build')} · ${formatBytes(bytes)}`, stream.description !== null && _jsx("div", { children: stream.description })] }), actions: _jsxs(_Fragment, { children: [_jsx(ButtonLink, { variant: "default", leftSection: _jsx(IconList, { size: 16 }), to: "/applications/$applicationId", params: { applicationId }, search: { streams: joinValues([stream.name]) }, children: "Builds" }), canWrite && (_jsxs(_Fragment, { children: [_jsx(Button, { variant: "default", leftSection: _jsx(IconPencil, { size: 16 }), onClick: () => setDialog('edit'), children: "Edit" }), _jsxs(Menu, { position: "bottom-end", children: [_jsx(Menu.Target, { children: _jsx(ActionIcon, { variant: "default", size: "lg", "aria-label": "More actions", ref: button, children: _jsx(IconDots, { size: 18 }) }) }), _jsx(Menu.Dropdown, { children: _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 16 }), onClick: () => setDialog('delete'), children: "Delete" }) })] })] }))] }) }), _jsx(Retention, { applicationId: applicationId, stream: stream, canWrite: canWrite }), dialog === 'edit' && (_jsx(StreamFormDialog, { applicationId: applicationId, stream: stream, onClose: onClose })), dialog === 'delete' && (_jsx(DeleteStreamDialog, { applicationId: applicationId, stream: stream, others: streams.filter(({ id }) => id !== stream.id), buildCount: buildCount, onClose: onClose }))] }));
}
