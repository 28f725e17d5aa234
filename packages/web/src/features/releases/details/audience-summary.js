import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton } from '@mantine/core';
import { IconLink, IconMail, IconWorld } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { releaseText } from '../../../text/release.ts';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { audienceQuery } from '../release.queries.ts';
import classes from './audience-summary.module.css';
/** Says who is notified when a release is published, and where it becomes visible. */
export function AudienceSummary({ release }) {
    const { data, error } = useQuery(audienceQuery(release.application_id, release.id));
    if (error !== null)
        return _jsx(FailureBanner, { error: error });
    if (data === undefined)
        return _jsx(Skeleton, { height: 96 });
    const { to_notify_count: count, groups, portals, share_link_count: links } = data;
    const notified = groups.filter(({ notify, is_active: isActive }) => notify && isActive);
    const shown = portals.filter(({ is_included: isIncluded }) => isIncluded);
    const wasNotified = groups.some(({ notified_count: before }) => before > 0);
    return (_jsxs("ul", { className: classes.list, children: [_jsxs(Line, { icon: _jsx(IconMail, { size: 17 }), children: [_jsx("strong", { children: releaseText.audience.notifiesNow(count) }), ' ', notified.length > 0 ? names(notified) : releaseText.audience.noGroups, wasNotified && ` ${releaseText.audience.alreadyNotified}`] }), _jsx(Line, { icon: _jsx(IconWorld, { size: 17 }), children: shown.length === 0 ? releaseText.audience.notIncluded : `Becomes visible in ${names(shown)}` }), _jsx(Line, { icon: _jsx(IconLink, { size: 17 }), children: releaseText.audience.links(links) })] }));
}
const Line = ({ icon, children }) => (_jsxs("li", { className: classes.line, children: [icon, _jsx("span", { children: children })] }));
const list = new Intl.ListFormat('en', { type: 'conjunction' });
const maxNames = 4;
/** Returns the names as a list that ends with a period, such as `Testers, Press and 2 more.` */
function names(items) {
    const shown = items.slice(0, maxNames).map(({ name }) => name);
    return `${list.format(items.length > maxNames ? [...shown, `${items.length - maxNames} more`] : shown)}.`;
}
