import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../../../ui/bytes.ts';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { useNow } from '../../../ui/now.ts';
import { Section } from '../../../ui/section.tsx';
import { calendarDay } from '../../../ui/time.ts';
import { retentionPagesQuery } from '../stream.queries.ts';
import { RetentionRow } from './retention-row.tsx';
import classes from './stream-details.module.css';
import { timelineOf } from './timeline.ts';
/** Every build of a stream on a time axis: from when it was uploaded until it goes, or why it stays. */
export function RetentionBuilds({ applicationId, streamId, days, summary }) {
    const [filter, setFilter] = useState('all');
    const now = useNow();
    const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
        ...retentionPagesQuery(applicationId, streamId, filter === 'all' ? undefined : filter),
        placeholderData: keepPreviousData,
    });
    const rows = data?.pages.flatMap((page) => page.data);
    const timeline = timelineOf(rows ?? [], now);
    const { goes, stays } = summary ?? {};
    return (_jsxs(Section, { title: "Builds, oldest first", actions: days !== null && (_jsx(SegmentedControl, { size: "xs", "aria-label": "Outcome", data: [
                { value: 'all', label: 'All' },
                { value: 'goes', label: `Go ${goes === undefined ? '' : formatCount(goes.builds)}` },
                { value: 'stays', label: `Stay ${stays === undefined ? '' : formatCount(stays.builds)}` },
            ], value: filter, onChange: (value) => setFilter(value === 'goes' || value === 'stays' ? value : 'all') })), children: [error !== null && _jsx(FailureBanner, { error: error, onRetry: () => void refetch() }), rows === undefined && error === null && _jsx(Skeleton, { height: 240, radius: "lg" }), rows?.length === 0 && (_jsx(Text, { fz: "sm", c: "dimmed", children: "No builds." })), rows !== undefined && rows.length > 0 && (_jsxs("div", { className: classes.timeline, style: { '--today': `${timeline.position(now)}%` }, children: [_jsxs("div", { className: classes.axis, "aria-hidden": true, children: [_jsx("span", {}), _jsxs("span", { className: classes.axisDays, children: [_jsx("span", { children: calendarDay(new Date(timeline.from).toISOString()) }), _jsx("span", { className: classes.today, children: "Today" }), _jsx("span", { children: calendarDay(new Date(timeline.to).toISOString()) })] }), _jsx("span", {})] }), _jsx("ul", { className: classes.rows, children: rows.map((row) => (_jsx(RetentionRow, { applicationId: applicationId, row: row, days: days, now: now, timeline: timeline }, row.build.id))) })] })), hasNextPage && (_jsx("div", { className: classes.more, children: _jsx(Button, { variant: "default", loading: isFetchingNextPage, onClick: () => void fetchNextPage(), children: "Show more builds" }) }))] }));
}
