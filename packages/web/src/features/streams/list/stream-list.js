import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Alert, Button, Skeleton } from '@mantine/core';
import { IconPlus, IconStack2 } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { serviceUrl } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { streamText } from '../../../text/stream.ts';
import { formatBytes, plural } from '../../../ui/bytes.ts';
import { CommandLine } from '../../../ui/command-line.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Section } from '../../../ui/section.tsx';
import { useRowFocus } from '../../../ui/use-row-focus.ts';
import { applicationStatisticsQuery } from '../../statistics/statistics.queries.ts';
import { StreamFormDialog } from '../stream-form-dialog.tsx';
import { defaultStreamNamesQuery, retentionSummaryQuery } from '../stream.queries.ts';
import classes from './stream-list.module.css';
import { StreamRow } from './stream-row.tsx';
const StackedArea = lazy(async () => ({
    default: (await import('../../../ui/stacked-area.tsx')).StackedArea,
}));
/** Every stream of an application with its size and retention. */
export function StreamList({ application, streams, unknown }) {
    const { id: applicationId } = application;
    const [isCreating, setIsCreating] = useState(false);
    const { can } = useSession();
    const canWrite = can('application:write', applicationId);
    const ref = useRowFocus();
    const { data: defaultNames } = useQuery({ ...defaultStreamNamesQuery, enabled: can('workspace:read') });
    const summaries = useQueries({
        queries: (streams ?? []).map(({ id }) => retentionSummaryQuery(applicationId, id)),
    });
    const totals = summaries.map(({ data }) => data === undefined
        ? undefined
        : {
            builds: data.goes.builds + data.stays.builds,
            bytes: data.goes.size_total_bytes + data.stays.size_total_bytes,
            going: data.goes.builds,
        });
    const maxBytes = Math.max(1, ...totals.map((each) => each?.bytes ?? 0));
    const builds = totals.reduce((sum, each) => sum + (each?.builds ?? 0), 0);
    const command = `quayside streams create beta --retention 30 \\\n  --application ${applicationId} --server ${serviceUrl}`;
    const newButton = canWrite && (_jsx(Button, { leftSection: _jsx(IconPlus, { size: 16 }), onClick: () => setIsCreating(true), children: "New stream" }));
    return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: "Streams", documentTitle: `${application.name} · Streams`, facts: streams === undefined || totals.includes(undefined)
                    ? '\u00A0'
                    : `${plural(streams.length, 'stream')} · ${plural(builds, 'build')}`, actions: streams?.length === 0 ? undefined : newButton }), unknown !== undefined && (_jsxs(Alert, { color: "yellow", mb: "md", children: ["This application has no stream \u201C", unknown, "\u201D. It may have been renamed or deleted."] })), streams?.length === 0 ? (_jsx(EmptyState, { icon: _jsx(IconStack2, { size: 22 }), title: "No streams yet", action: canWrite && (_jsxs(_Fragment, { children: [newButton, _jsx(CommandLine, { code: command })] })), children: streamText.empty })) : (_jsx("ul", { className: classes.list, ref: ref, "aria-label": "Streams", children: streams === undefined
                    ? Array.from({ length: 4 }, (_, index) => (_jsx("li", { className: classes.row, "aria-busy": true, children: _jsx(Skeleton, { height: 14, width: "50%" }) }, index)))
                    : streams.map((stream, index) => (_jsx(StreamRow, { applicationId: applicationId, stream: stream, totals: totals[index], maxBytes: maxBytes, isDefault: defaultNames?.has(stream.name.toLowerCase()) ?? false }, stream.id))) })), streams !== undefined && streams.length > 0 && builds > 0 && (_jsx(StorageOverTime, { applicationId: applicationId })), isCreating && _jsx(StreamFormDialog, { applicationId: applicationId, onClose: () => setIsCreating(false) })] }));
}
const days = 90;
function StorageOverTime({ applicationId }) {
    const { data } = useQuery(applicationStatisticsQuery(applicationId, days));
    if (data === undefined)
        return null;
    return (_jsx("div", { className: classes.chart, children: _jsx(Section, { title: `Storage in the last ${days} days`, children: _jsx(Suspense, { fallback: _jsx(Skeleton, { height: 200 }), children: _jsx(StackedArea, { label: "Storage by stream", days: data.days, series: data.storage.by_stream.map(({ stream, bytes }) => ({
                        name: stream?.name ?? 'Deleted streams',
                        values: bytes,
                    })), format: formatBytes, height: 200 }) }) }) }));
}
