import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { releaseText } from '../../text/release.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './release-status.module.css';
/** Shows the status of a release, and for a scheduled one when it is published. */
export function ReleaseStatus({ release }) {
    const { status, scheduled_for: scheduledFor } = release;
    return (_jsxs("span", { className: classes.status, "data-status": status, children: [releaseText.status[status], scheduledFor !== null && (_jsx("span", { className: classes.time, children: _jsx(RelativeTime, { time: scheduledFor }) }))] }));
}
