import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buildText } from '../../../text/build.ts';
import { Section } from '../../../ui/section.tsx';
import { buildQuery, versionText } from '../build.queries.ts';
import { previousBuildQuery } from '../details/build-details.queries.ts';
import classes from './overview.module.css';
import { isSensitive, shortPermission } from './sensitive-permissions.ts';
/** Lists the permissions that an Android package requests, with those that are new since the previous build first. */
export function Permissions({ build, permissions }) {
    const { data: listed } = useQuery(previousBuildQuery(build));
    const { data: previous } = useQuery({
        ...buildQuery(build.application_id, listed?.id ?? ''),
        enabled: typeof listed?.id === 'string',
    });
    const known = previous?.android_info?.permissions;
    const isNew = (permission) => known !== undefined && !known.includes(permission);
    const added = permissions.filter(isNew);
    const rank = (permission) => (isNew(permission) ? 0 : isSensitive(permission) ? 1 : 2);
    const sorted = permissions.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b));
    return (_jsx(Section, { title: `Permissions (${permissions.length})`, actions: added.length > 0 &&
            previous !== undefined && (_jsxs(Link, { to: "/applications/$applicationId/builds/$buildId", params: { applicationId: build.application_id, buildId: build.id }, search: { tab: 'compare' }, children: [added.length, " new since ", versionText(previous)] })), children: permissions.length === 0 ? (_jsx(Text, { fz: "sm", c: "dimmed", children: buildText.permissions.none })) : (_jsx("ul", { className: classes.permissions, children: sorted.map((permission) => (_jsx("li", { className: classes.permission, "data-new": isNew(permission) || undefined, "data-sensitive": isSensitive(permission) || undefined, title: isSensitive(permission) ? `${permission}: ${buildText.permissions.sensitive}` : permission, children: shortPermission(permission) }, permission))) })) }));
}
