import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../../api/session.ts';
import { releaseText } from '../../../text/release.ts';
import { formatBytes, plural } from '../../../ui/bytes.ts';
import { PlatformIcon } from '../../../ui/platform-icon.tsx';
import { groupsQuery } from '../../groups/group.queries.ts';
import classes from './new-release-form.module.css';
/** Says what will happen when the form is sent. */
export function ReleaseSummary({ values }) {
    const { builds, version, title, groups, portals, publication } = values;
    const { can } = useSession();
    const { data: allGroups = [] } = useQuery({ ...groupsQuery, enabled: can('distribution_groups:read') });
    const notified = allGroups.filter(({ id }) => groups.get(id) === true);
    const members = notified.reduce((sum, { tester_count: count }) => sum + count, 0);
    const bytes = builds.reduce((sum, build) => sum + build.size_total_bytes, 0);
    const platforms = new Map(builds.map(({ platform }) => [platform.identifier, platform]));
    return (_jsxs("section", { className: classes.summary, "aria-label": "Summary", children: [_jsx(Text, { fw: 600, className: "tabular", children: version === '' ? 'No version yet' : version }), _jsx(Text, { fz: "sm", truncate: true, children: title }), _jsx("div", { className: classes.icons, children: [...platforms.values()].map((platform) => (_jsx(PlatformIcon, { platform: platform, size: 16 }, platform.identifier))) }), _jsx(Text, { fz: "sm", c: "dimmed", mt: 4, children: builds.length === 0
                    ? releaseText.builds.none
                    : `${plural(builds.length, 'build')} · ${formatBytes(bytes)}` }), _jsxs(Text, { fz: "sm", mt: "sm", children: [releaseText.summary.audience(members, notified.length, publication !== 'now'), portals.length > 0 && ` ${releaseText.summary.portals(portals.length)}`] })] }));
}
