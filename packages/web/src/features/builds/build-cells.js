import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Tooltip } from '@mantine/core';
import { IconClock, IconGitBranch, IconLock } from '@tabler/icons-react';
import { LabelDot } from '../../ui/label-dot.tsx';
import { useNow } from '../../ui/now.ts';
import { absoluteTime, daysUntil } from '../../ui/time.ts';
import classes from './build-cells.module.css';
import { shortSourceName, uploadSourceNames } from './upload-sources.ts';
/** Shows a branch and a commit, linked to where the code is hosted if that is known. */
export function BranchCommit({ build }) {
    const { scm_branch: branch, scm_commit_sha: sha, scm_commit_sha_short: shortSha } = build.scm;
    const url = build.links.scm_commit_url;
    if (branch === null && sha === null)
        return _jsx("span", { className: classes.none, children: "\u2013" });
    const commit = shortSha ?? sha?.slice(0, 7);
    return (_jsxs("span", { className: classes.commit, children: [_jsx(IconGitBranch, { size: 14, "aria-hidden": true }), branch !== null && _jsx("span", { className: classes.text, children: branch }), commit !== undefined &&
                (url === null ? (_jsx("code", { children: commit })) : (_jsx("a", { href: url, target: "_blank", rel: "noreferrer noopener", onClick: (event) => event.stopPropagation(), children: _jsx("code", { children: commit }) })))] }));
}
/** Shows which system uploaded a build, and its run, linked if the address is known. */
export function SourceRun({ build }) {
    const name = uploadSourceNames[build.build_source] ?? build.build_source;
    const run = build.ci_pipeline.ci_run_id;
    const url = build.links.ci_run_url;
    const text = (_jsxs(_Fragment, { children: [_jsx("span", { className: classes.text, title: name, children: shortSourceName(build.build_source) }), run !== null && _jsxs("span", { className: classes.run, children: ["#", run] })] }));
    return url === null ? (_jsx("span", { className: classes.source, children: text })) : (_jsx("a", { className: classes.source, href: url, target: "_blank", rel: "noreferrer noopener", onClick: (event) => event.stopPropagation(), children: text }));
}
const shownLabels = 2;
/** Shows the first labels of a build, and the others on hover. */
export function BuildLabels({ build: { labels } }) {
    const rest = labels.slice(shownLabels);
    return (_jsxs("span", { className: classes.labels, children: [labels.slice(0, shownLabels).map(({ id, name, color }) => (_jsx(LabelDot, { name: name, color: color }, id))), rest.length > 0 && (_jsx(Tooltip, { label: rest.map(({ name }) => name).join(', '), children: _jsxs("span", { className: classes.more, children: ["+", rest.length] }) }))] }));
}
const shownDays = 30;
/** Shows how many days are left before retention takes a build, if these are 30 or fewer. */
export function RetentionCountdown({ build, }) {
    const now = useNow();
    const { expires_at: expiresAt, keep_forever: isKept, stream } = build;
    if (isKept)
        return (_jsx(Tooltip, { label: "Kept forever: retention does not apply", children: _jsx(IconLock, { size: 14, className: classes.kept, role: "img", "aria-label": "Kept forever" }) }));
    if (expiresAt === null)
        return null;
    const days = daysUntil(expiresAt, now);
    if (days > shownDays)
        return null;
    const text = days < 1 ? 'today' : `${days} d`;
    return (_jsx(Tooltip, { multiline: true, w: 260, label: `The stream ${stream.name} keeps builds for ${stream.retention_days} days. This one moves to the trash on ${absoluteTime(expiresAt)}, unless you keep it, release it or share it.`, children: _jsxs("span", { className: classes.countdown, "data-soon": days < 7 || undefined, children: [_jsx(IconClock, { size: 13, "aria-hidden": true }), text] }) }));
}
