import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Skeleton } from '@mantine/core';
import { IconFilterOff, IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { auditText } from '../../text/audit-log.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { applicationsQuery } from '../applications/application.queries.ts';
import { auditEntriesQuery } from './audit-log.queries.ts';
import { isAuditFiltered } from './audit-log.search.ts';
import classes from './entry-feed.module.css';
import { EntryRow } from './entry-row.tsx';
const day = new Intl.DateTimeFormat('en', { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
/** The entries of an audit log by day, newest first. */
export function EntryFeed({ search, onClear, withApplications = false }) {
    const query = useInfiniteQuery(auditEntriesQuery(search));
    const { data: applications = [] } = useQuery(applicationsQuery);
    const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
    const isFiltered = isAuditFiltered(search);
    const applicationName = (id) => withApplications ? applications.find((application) => application.id === id)?.name : undefined;
    if (query.isPending)
        return (_jsx("div", { "aria-busy": true, children: Array.from({ length: 8 }, (_, index) => (_jsx(Skeleton, { height: 36, mb: 8 }, index))) }));
    return (_jsxs(_Fragment, { children: [query.error !== null && _jsx(FailureBanner, { error: query.error, onRetry: () => void query.refetch() }), query.data !== undefined && entries.length === 0 && (_jsx(EmptyState, { icon: isFiltered ? _jsx(IconFilterOff, { size: 22 }) : _jsx(IconHistory, { size: 22 }), title: isFiltered ? 'No changes match' : 'No changes yet', action: isFiltered && (_jsx(Button, { variant: "default", onClick: onClear, children: "Clear the filters" })), children: isFiltered ? auditText.noMatch : auditText.empty })), _jsx("div", { "data-stale": query.isPlaceholderData || undefined, className: classes.feed, children: [...Map.groupBy(entries, ({ created_at: at }) => day.format(new Date(at)))].map(([name, entriesOfDay]) => (_jsxs("section", { "aria-label": name, children: [_jsx("h3", { className: classes.day, children: name }), _jsx("ul", { className: classes.list, children: grouped(entriesOfDay).map((group) => (_jsx(EntryRow, { group: group, applicationName: applicationName }, group[0].id))) })] }, name))) }), query.hasNextPage && (_jsx(Button, { variant: "default", mt: "md", loading: query.isFetchingNextPage, onClick: () => void query.fetchNextPage(), children: "Show older changes" }))] }));
}
/** Combines consecutive entries of the same actor and action, such as the uploads of a CI run. */
function grouped(entries) {
    const groups = [];
    for (const entry of entries) {
        const [last] = groups.at(-1) ?? [];
        const isSame = last?.action === entry.action &&
            last.actor.id === entry.actor.id &&
            last.actor.name === entry.actor.name &&
            last.application_id === entry.application_id;
        if (isSame)
            groups.at(-1)?.push(entry);
        else
            groups.push([entry]);
    }
    return groups;
}
