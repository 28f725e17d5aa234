import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Switch } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../../api/session.ts';
import { plural } from '../../../ui/bytes.ts';
import { QrCode } from '../../../ui/qr-code.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { buildChanges } from '../build-changes.ts';
import { versionText } from '../build.queries.ts';
import { isHandheld } from '../details/device.ts';
import { useBuildChange } from '../details/use-build-change.ts';
import classes from './overview.module.css';
/** How long a build stays, who offers it, and the code that opens it on a phone. */
export function OverviewAside({ build }) {
    const { can } = useSession();
    const change = useBuildChange(build);
    const applicationId = build.application_id;
    const releases = build.kept_by.flatMap((keeper) => keeper.releases ?? []);
    const links = build.kept_by.flatMap((keeper) => keeper.share_links ?? []);
    return (_jsxs("aside", { className: classes.aside, "aria-label": "Retention and sharing", children: [_jsxs("div", { className: `${classes.card} ${classes.rows}`, children: [_jsx(Row, { name: "Expires", children: expiryOf(build) }), _jsx(Row, { name: "Keep forever", children: _jsx(Switch, { checked: build.keep_forever, disabled: !can('builds:write', applicationId), "aria-label": "Keep forever", onChange: (event) => void change(event.currentTarget.checked ? buildChanges.keep() : buildChanges.unkeep()) }) }), _jsx(Row, { name: "In release", children: releases.length === 0 ? ('–') : (_jsx("ul", { className: classes.list, children: releases.map(({ id, title, version }) => (_jsx("li", { children: _jsx(Link, { to: "/applications/$applicationId/releases/$releaseId", params: { applicationId, releaseId: id }, children: title === version ? version : `${title} (${version})` }) }, id))) })) }), can('share_links:read', applicationId) && (_jsx(Row, { name: "Share links", children: _jsx(Link, { to: "/applications/$applicationId/builds/$buildId", params: { applicationId, buildId: build.id }, search: { tab: 'share-links' }, children: links.length === 0 ? 'None active' : plural(links.length, 'active link') }) }))] }), isHandheld(build.platform) && (_jsxs("div", { className: `${classes.card} ${classes.qr}`, children: [_jsx(QrCode, { text: build.modal_url, label: `QR code with the link to ${versionText(build)}`, size: 104 }), _jsxs("div", { className: classes.caption, children: [_jsx("strong", { children: "Scan to open" }), _jsx("span", { children: "on a phone that is signed in" })] })] }))] }));
}
function expiryOf({ keep_forever: isKept, expires_at: expiresAt, kept_by: keepers, stream, }) {
    if (isKept)
        return 'Never, it is kept';
    if (expiresAt !== null)
        return _jsx(RelativeTime, { time: expiresAt });
    if (stream.retention_days === null)
        return `Never in ${stream.name}`;
    return keepers.some(({ reason }) => reason === 'release') ? 'Not while released' : 'Not while shared';
}
function Row({ name, children }) {
    return (_jsxs("div", { className: classes.row, children: [_jsx("span", { children: name }), _jsx("div", { children: children })] }));
}
