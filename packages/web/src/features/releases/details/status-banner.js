import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Text } from '@mantine/core';
import { IconClock, IconEyeOff, IconPencil } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { releaseText } from '../../../text/release.ts';
import { localZone, utcTime } from '../schedule-fields.tsx';
import classes from './release-page.module.css';
/** Explains why people do not see a release yet, or any more. */
export function StatusBanner({ release }) {
    const { status, scheduled_for: scheduledFor } = release;
    if (status === 'published')
        return null;
    if (status === 'scheduled' && scheduledFor !== null)
        return _jsx(Countdown, { at: new Date(scheduledFor) });
    return (_jsxs("div", { className: classes.banner, "data-status": status, children: [status === 'withdrawn' ? _jsx(IconEyeOff, { size: 18 }) : _jsx(IconPencil, { size: 18 }), _jsx(Text, { fz: "sm", children: releaseText.banners[status === 'withdrawn' ? 'withdrawn' : 'draft'] })] }));
}
const local = new Intl.DateTimeFormat('en', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
});
/** Counts down the seconds until a release is published. */
function Countdown({ at }) {
    const [now, setNow] = useState(() => Date.now());
    useEffect(() => {
        const timer = window.setInterval(() => setNow(Date.now()), 1000);
        return () => window.clearInterval(timer);
    }, []);
    const seconds = Math.max(0, Math.ceil((at.getTime() - now) / 1000));
    return (_jsxs("div", { className: classes.banner, "data-status": "scheduled", children: [_jsx(IconClock, { size: 18 }), _jsxs("div", { children: [_jsx(Text, { fw: 600, className: "tabular", role: "timer", children: seconds === 0 ? 'Publishing…' : `Publishes in ${duration(seconds)}` }), _jsxs(Text, { fz: "sm", c: "dimmed", children: [local.format(at), " in your time zone, ", localZone(at), at.getTimezoneOffset() !== 0 && ` – ${utcTime(at)} UTC`] })] })] }));
}
function duration(seconds) {
    const parts = [
        [Math.floor(seconds / 86400), 'd'],
        [Math.floor((seconds % 86400) / 3600), 'h'],
        [Math.floor((seconds % 3600) / 60), 'min'],
        [seconds % 60, 's'],
    ];
    const first = parts.findIndex(([count]) => count > 0);
    return parts
        .slice(first)
        .map(([count, unit]) => `${count} ${unit}`)
        .join(' ');
}
