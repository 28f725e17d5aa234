import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { IconKey, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { buildText } from '../../../text/build.ts';
import { ApplicationIcon } from '../../../ui/application-icon.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { buildActivityQuery } from '../details/build-details.queries.ts';
import { TabSkeleton } from '../details/tab-skeleton.tsx';
import classes from './activity.module.css';
import { changedFields } from './changed-fields.ts';
const verbs = {
    'build.created': 'uploaded the build',
    'build.updated': 'changed the build',
    'build.deleted': 'moved the build to the trash',
    'build.restored': 'restored the build',
    'build.processed': 'read the package',
};
/** What someone did who changed only this field. */
const fieldVerbs = {
    stream: 'moved the build',
    notes: 'edited the notes',
    labels: 'changed the labels',
    'keep forever': 'changed the retention',
};
/** Who changed a build, when, and what. */
export function Activity({ build }) {
    const { data: entries, error, refetch } = useQuery(buildActivityQuery(build.application_id, build.id));
    if (error !== null)
        return _jsx(FailureBanner, { error: error, onRetry: () => void refetch() });
    if (entries === undefined)
        return _jsx(TabSkeleton, {});
    if (entries.length === 0)
        return _jsx(EmptyState, { title: buildText.activity.empty });
    return (_jsx("ol", { className: classes.list, children: entries.map((entry) => (_jsx(Entry, { entry: entry }, entry.id))) }));
}
function Entry({ entry }) {
    const changes = entry.action === 'build.created' ? [] : changedFields(entry.before, entry.after);
    const [first, second] = changes;
    const single = entry.action === 'build.updated' && second === undefined ? first?.field : undefined;
    return (_jsxs("li", { className: classes.entry, children: [_jsx(ActorIcon, { actor: entry.actor }), _jsxs("span", { children: [_jsx("strong", { children: entry.actor.name }), " ", fieldVerbs[single ?? ''] ?? verbs[entry.action] ?? entry.action] }), _jsxs("span", { className: classes.time, children: [entry.address !== null && _jsx("span", { className: classes.address, children: entry.address }), _jsx(RelativeTime, { time: entry.created_at })] }), changes.map(({ field, before, after }) => (_jsxs("span", { className: classes.changes, children: [field, ": ", before !== undefined && _jsx("s", { children: before }), " ", before !== undefined && '→', " ", after] }, field)))] }));
}
function ActorIcon({ actor }) {
    if (actor.kind === 'user')
        return _jsx(ApplicationIcon, { name: actor.name, url: null, round: true, size: 22 });
    return actor.kind === 'system' ? (_jsx(IconSettings, { size: 18, color: "var(--q-soft)", "aria-hidden": true })) : (_jsx(IconKey, { size: 18, color: "var(--q-soft)", "aria-hidden": true }));
}
