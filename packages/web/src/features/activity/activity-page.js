import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { applicationSubjects } from '../../text/audit-log.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { applicationQuery } from '../applications/application.queries.ts';
import { EntryFeed } from '../audit-log/entry-feed.tsx';
import { EntryFilters } from '../audit-log/entry-filters.tsx';
import { ExportButton } from '../audit-log/export-button.tsx';
const route = getRouteApi('/console/applications/$applicationId/activity');
/** What happened in an application, by day. */
export function ActivityPage() {
    const { applicationId } = route.useParams();
    const search = { ...route.useSearch(), application: applicationId };
    const navigate = route.useNavigate();
    const { data: application } = useSuspenseQuery(applicationQuery(applicationId));
    const onChange = (change) => void navigate({ search: (previous) => ({ ...previous, ...change }) });
    const onClear = () => void navigate({ search: {} });
    return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: "Activity", documentTitle: `${application.name} · Activity`, actions: _jsx(ExportButton, { search: search }) }), _jsx(EntryFilters, { search: search, onChange: onChange, onClear: onClear, subjects: applicationSubjects }), _jsx(EntryFeed, { search: search, onClear: onClear })] }));
}
