import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { recentEntriesQuery } from '../audit-log/audit-log.queries.ts';
import { describeEntry } from '../audit-log/describe-entry.ts';
import panel from './home-page.module.css';
import classes from './recent-activity.module.css';
const day = new Intl.DateTimeFormat('en', { weekday: 'long', month: 'short', day: 'numeric' });
/** Who did what lately, grouped by day. */
export function RecentActivity() {
    const { can } = useSession();
    const { data: entries = [] } = useQuery({ ...recentEntriesQuery, enabled: can('workspace:read') });
    if (entries.length === 0)
        return null;
    const days = Map.groupBy(entries, (entry) => day.format(new Date(entry.created_at)));
    return (_jsxs("section", { className: panel.panel, children: [_jsx("h2", { className: panel.panelTitle, children: "Recent activity" }), [...days].map(([name, entriesOfDay]) => (_jsxs("div", { children: [_jsx("h3", { className: classes.day, children: name }), _jsx("ul", { className: classes.list, children: combined(entriesOfDay).map(({ entry, count }) => (_jsxs("li", { children: [_jsxs("span", { className: classes.text, children: [_jsx("b", { children: entry.actor.name }), " ", describeEntry(entry, count)] }), _jsx("span", { className: classes.time, children: _jsx(RelativeTime, { time: entry.created_at, short: true }) })] }, entry.id))) })] }, name)))] }));
}
/** Combines consecutive entries of the same actor and action, such as the uploads of a CI run. */
function combined(entries) {
    const groups = [];
    for (const entry of entries) {
        const last = groups.at(-1);
        const isSame = last?.entry.action === entry.action &&
            last.entry.actor.id === entry.actor.id &&
            last.entry.application_id === entry.application_id;
        if (last !== undefined && isSame)
            last.count++;
        else
            groups.push({ entry, count: 1 });
    }
    return groups;
}
