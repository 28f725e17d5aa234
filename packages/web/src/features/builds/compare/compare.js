import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { IconArrowRight, IconArrowsDiff, IconCircleCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { buildText } from '../../../text/build.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { Section } from '../../../ui/section.tsx';
import { buildQuery, versionText } from '../build.queries.ts';
import { previousBuildQuery } from '../details/build-details.queries.ts';
import { TabSkeleton } from '../details/tab-skeleton.tsx';
import { isSensitive, shortPermission } from '../overview/sensitive-permissions.ts';
import { BuildPicker } from './build-picker.tsx';
import { compareBuilds } from './compare-builds.ts';
import classes from './compare.module.css';
import { FileSizes } from './file-sizes.tsx';
const route = getRouteApi('/console/applications/$applicationId/builds/$buildId');
/** How a build differs from the previous one, or from the one in the URL. */
export function Compare({ build }) {
    const { with: chosen } = route.useSearch();
    const navigate = route.useNavigate();
    const previous = useQuery({ ...previousBuildQuery(build), enabled: chosen === undefined });
    const otherId = chosen ?? previous.data?.id;
    const other = useQuery({
        ...buildQuery(build.application_id, otherId ?? ''),
        enabled: otherId !== undefined,
        placeholderData: keepPreviousData,
    });
    const error = previous.error ?? other.error;
    const isFirst = chosen === undefined && previous.data === null;
    return (_jsxs(_Fragment, { children: [_jsx("div", { className: classes.pick, children: _jsx(BuildPicker, { build: build, other: other.data, onChange: (buildId) => void navigate({
                        search: { tab: 'compare', with: buildId },
                        replace: true,
                        resetScroll: false,
                    }) }) }), error !== null && _jsx(FailureBanner, { error: error, onRetry: () => void other.refetch() }), isFirst && (_jsx(EmptyState, { icon: _jsx(IconArrowsDiff, { size: 22 }), title: buildText.compare.emptyTitle, children: buildText.compare.empty(build.platform.name) })), other.data === undefined && !isFirst && error === null && _jsx(TabSkeleton, {}), other.data !== undefined && _jsx(Differences, { builds: olderFirst(build, other.data) })] }));
}
const olderFirst = (build, other) => other.created_at > build.created_at ? [build, other] : [other, build];
function Differences({ builds }) {
    const { isRead, risks, attributes, permissions, files } = compareBuilds(...builds);
    const hasPermissions = permissions.added.length + permissions.removed.length > 0;
    return (_jsxs(_Fragment, { children: [_jsxs("p", { className: classes.direction, children: [versionText(builds[0]), " ", _jsx(IconArrowRight, { size: 15, role: "img", "aria-label": "to" }), ' ', versionText(builds[1])] }), risks.length > 0 ? (_jsx("ul", { className: classes.risks, "aria-label": "Risks", children: risks.map((risk) => (_jsx("li", { children: risk }, risk))) })) : (_jsxs("div", { className: classes.calm, "data-unread": !isRead || undefined, children: [isRead && _jsx(IconCircleCheck, { size: 17, "aria-hidden": true }), isRead ? buildText.compare.noRisk : buildText.compare.unread] })), _jsx(Section, { title: "Size", children: _jsx(FileSizes, { files: files }) }), hasPermissions && (_jsx(Section, { title: "Permissions", children: _jsxs("ul", { className: classes.permissions, children: [permissions.added.map((permission) => (_jsxs("li", { "data-change": "added", "data-sensitive": isSensitive(permission) || undefined, children: ["+ ", shortPermission(permission)] }, permission))), permissions.removed.map((permission) => (_jsxs("li", { "data-change": "removed", children: ["\u2212 ", shortPermission(permission)] }, permission)))] }) })), _jsx(Section, { title: "Package", children: attributes.length === 0 ? (buildText.compare.same) : (_jsx(Attributes, { attributes: attributes, builds: builds })) })] }));
}
function Attributes({ attributes, builds: [before, after] }) {
    return (_jsxs("table", { className: classes.table, children: [_jsx("thead", { children: _jsxs("tr", { children: [_jsx("td", {}), _jsx("th", { scope: "col", children: versionText(before) }), _jsx("th", { scope: "col", children: versionText(after) })] }) }), _jsx("tbody", { children: attributes.map(({ name, before: old, after: current, isRisky }) => (_jsxs("tr", { children: [_jsx("th", { scope: "row", children: name }), _jsx("td", { className: classes.before, children: old }), _jsx("td", { className: isRisky ? classes.risky : undefined, children: current })] }, name))) })] }));
}
