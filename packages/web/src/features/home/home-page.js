import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton } from '@mantine/core';
import { IconApps, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { formatBytes, plural } from '../../ui/bytes.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { workspaceStatisticsQuery } from '../statistics/statistics.queries.ts';
import { ApplicationCard } from './application-card.tsx';
import { AttentionList } from './attention-list.tsx';
import classes from './home-page.module.css';
import { RecentActivity } from './recent-activity.tsx';
import { StorageCard } from './storage-card.tsx';
const shownDays = 30;
/** Every application at a glance, what needs attention, and what happened lately. */
export function HomePage() {
    const { can, workspace } = useSession();
    const { data, error, refetch } = useQuery(workspaceStatisticsQuery(shownDays));
    if (error !== null)
        return _jsx(FailureBanner, { error: error, onRetry: () => void refetch() });
    const totals = data?.totals;
    return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: workspace.name, documentTitle: "Home", facts: totals === undefined
                    ? '\u00A0'
                    : `${plural(totals.application_count, 'application')} · ${plural(totals.build_count, 'build')} · ${formatBytes(totals.stored_bytes)}`, actions: can('applications:create') && (_jsx(ButtonLink, { to: "/applications/new", variant: "default", leftSection: _jsx(IconPlus, { size: 16 }), children: "New application" })) }), data?.applications.length === 0 ? (_jsx(NoApplications, { canCreate: can('applications:create') })) : (_jsxs("div", { className: classes.columns, children: [_jsx("section", { className: classes.cards, "aria-label": "Applications", children: data === undefined
                            ? Array.from({ length: 6 }, (_, index) => _jsx(Skeleton, { height: 188, radius: "lg" }, index))
                            : data.applications.map((application) => (_jsx(ApplicationCard, { application: application }, application.id))) }), _jsxs("aside", { className: classes.aside, children: [_jsx(AttentionList, {}), data !== undefined && _jsx(StorageCard, { statistics: data }), _jsx(RecentActivity, {})] })] }))] }));
}
function NoApplications({ canCreate }) {
    return (_jsx(EmptyState, { icon: _jsx(IconApps, { size: 22 }), title: "No applications yet", action: canCreate ? (_jsxs(_Fragment, { children: [_jsx(ButtonLink, { to: "/applications/new", children: "Create an application" }), _jsx(CommandLine, { code: 'quayside applications create "My app" --platform android --platform ios' })] })) : undefined, children: canCreate
            ? 'An application is a product whose builds you distribute, for any number of platforms.'
            : 'You are not a member of any application yet. Ask an admin of the workspace to add you.' }));
}
