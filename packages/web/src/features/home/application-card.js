import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Link } from '@tanstack/react-router';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import { formatBytes, plural } from '../../ui/bytes.ts';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { versionText } from '../builds/build.queries.ts';
import classes from './application-card.module.css';
const shownPlatforms = 4;
/** An application with the newest build of each platform and its uploads of the last days. */
export function ApplicationCard({ application }) {
    const { id, name, icon_url: iconUrl, newest_builds: builds, uploads } = application;
    const uploadCount = uploads.reduce((sum, count) => sum + count, 0);
    return (_jsxs("article", { className: classes.card, children: [_jsxs("div", { className: classes.head, children: [_jsx(ApplicationIcon, { name: name, url: iconUrl, size: 40 }), _jsxs("div", { className: classes.text, children: [_jsx("h2", { className: classes.name, children: _jsx(Link, { to: "/applications/$applicationId", params: { applicationId: id }, className: classes.link, children: name }) }), _jsxs("span", { className: classes.soft, children: [plural(application.build_count, 'build'), " \u00B7 ", formatBytes(application.stored_bytes)] })] })] }), _jsxs("ul", { className: classes.builds, children: [builds.length === 0 && _jsx("li", { className: classes.soft, children: "No builds yet" }), builds.slice(0, shownPlatforms).map((build) => (_jsx("li", { children: _jsxs(Link, { to: "/applications/$applicationId/builds/$buildId", params: { applicationId: id, buildId: build.id }, className: classes.build, children: [_jsx(PlatformIcon, { platform: build.platform, size: 16 }), _jsx("span", { className: classes.version, children: versionText(build) }), _jsx("span", { className: classes.soft, children: _jsx(RelativeTime, { time: build.created_at, short: true }) })] }) }, build.platform.identifier))), builds.length > shownPlatforms && (_jsx("li", { className: classes.soft, children: plural(builds.length - shownPlatforms, 'more platform') }))] }), _jsxs("div", { className: classes.chart, children: [_jsx(Sparkline, { values: uploads, label: `${plural(uploadCount, 'upload')} in ${uploads.length} days` }), _jsxs("span", { className: classes.soft, children: [plural(uploadCount, 'upload'), " in ", uploads.length, " days"] })] })] }));
}
