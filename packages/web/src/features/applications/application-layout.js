import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, linkOptions, Outlet } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { useTabIcon } from '../../frame/tab-icon.ts';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import classes from './application-layout.module.css';
import { applicationQuery } from './application.queries.ts';
const route = getRouteApi('/console/applications/$applicationId');
/** Shows the application and its tabs above each of its pages. */
export function ApplicationLayout() {
    const { applicationId } = route.useParams();
    const { data: application } = useSuspenseQuery(applicationQuery(applicationId));
    const { can } = useSession();
    useTabIcon(application.icon_url);
    const params = { applicationId };
    const tabs = [
        { label: 'Builds', link: linkOptions({ to: '/applications/$applicationId', params }), isIndex: true },
        {
            label: 'Releases',
            link: linkOptions({ to: '/applications/$applicationId/releases', params }),
            scope: 'releases:read',
        },
        { label: 'Streams', link: linkOptions({ to: '/applications/$applicationId/streams', params }) },
        {
            label: 'Webhooks',
            link: linkOptions({ to: '/applications/$applicationId/webhooks', params }),
            scope: 'webhooks:read',
        },
        {
            label: 'Insights',
            link: linkOptions({ to: '/applications/$applicationId/insights', params }),
            scope: 'builds:read',
        },
        { label: 'Activity', link: linkOptions({ to: '/applications/$applicationId/activity', params }) },
        { label: 'Settings', link: linkOptions({ to: '/applications/$applicationId/settings', params }) },
    ];
    return (_jsxs(_Fragment, { children: [_jsxs("div", { className: classes.header, children: [_jsxs(Link, { to: "/applications/$applicationId", params: params, className: classes.name, children: [_jsx(ApplicationIcon, { name: application.name, url: application.icon_url, size: 28 }), application.name] }), _jsx("nav", { className: classes.tabs, "aria-label": application.name, children: tabs.map(({ label, link, isIndex = false, scope }) => scope === undefined || can(scope, applicationId) ? (_jsx(Link, { ...link, activeOptions: { exact: isIndex, includeSearch: false }, className: classes.tab, activeProps: { 'data-active': true, 'aria-current': 'page' }, children: label }, label)) : null) })] }), _jsx(Outlet, {})] }));
}
