import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { SegmentedControl, Skeleton } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { serviceUrl } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { insightsText } from '../../text/insights.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ApplicationCharts } from './application-charts.tsx';
import classes from './insights-page.module.css';
import { defaultRange, insightsRanges, insightsSearch } from './insights.search.ts';
import { StatisticsTotals } from './statistics-totals.tsx';
import { applicationStatisticsQuery } from './statistics.queries.ts';
const route = getRouteApi('/console/applications/$applicationId/insights');
const ranges = insightsRanges.map((days) => ({
    value: String(days),
    label: days === 365 ? '1 year' : `${days} days`,
}));
/** Shows uploads, downloads and storage of an application over time. */
export function InsightsPage() {
    const { applicationId } = route.useParams();
    const { days: range = defaultRange } = route.useSearch();
    const navigate = route.useNavigate();
    const { data, error, refetch, isPlaceholderData } = useQuery({
        ...applicationStatisticsQuery(applicationId, range),
        placeholderData: keepPreviousData,
    });
    if (error !== null)
        return _jsx(FailureBanner, { error: error, onRetry: () => void refetch() });
    const isEmpty = data !== undefined &&
        data.uploads.total + data.downloads.total + data.storage.stored_bytes === 0 &&
        range === 365;
    return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: "Insights", actions: _jsx(SegmentedControl, { size: "xs", data: ranges, value: String(range), onChange: (value) => {
                        const { days } = insightsSearch({ days: value });
                        void navigate({ search: { days: days === defaultRange ? undefined : days }, replace: true });
                    }, "aria-label": "Period" }) }), isEmpty ? (_jsx(NothingToCount, { applicationId: applicationId })) : (_jsx("div", { className: classes.content, "data-stale": isPlaceholderData || undefined, "aria-busy": isPlaceholderData, children: data === undefined ? (_jsx(InsightsSkeleton, {})) : (_jsxs(_Fragment, { children: [_jsx(StatisticsTotals, { statistics: data }), _jsx(ApplicationCharts, { statistics: data })] })) }))] }));
}
function InsightsSkeleton() {
    return (_jsxs(_Fragment, { children: [_jsx("div", { className: classes.totals, children: Array.from({ length: 4 }, (_, index) => (_jsx(Skeleton, { height: 86, radius: "lg" }, index))) }), _jsx("div", { className: classes.charts, children: Array.from({ length: 4 }, (_, index) => (_jsx(Skeleton, { height: 310, radius: "lg" }, index))) })] }));
}
function NothingToCount({ applicationId }) {
    const { can } = useSession();
    return (_jsx(EmptyState, { icon: _jsx(IconChartBar, { size: 22 }), title: "Nothing to count yet", action: can('builds:create', applicationId) ? (_jsxs(_Fragment, { children: [_jsx(ButtonLink, { to: "/upload", search: { application: applicationId }, children: "Upload the first build" }), _jsx(CommandLine, { code: `quayside upload ./app-1.0.0.zip --application ${applicationId} --server ${serviceUrl}`, label: "upload command" })] })) : undefined, children: insightsText.empty }));
}
