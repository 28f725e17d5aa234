import { jsx as _jsx } from "react/jsx-runtime";
import { Tooltip } from '@mantine/core';
import { useNow } from './now.ts';
import { absoluteTime, relativeTime, shortAge } from './time.ts';
/** Shows how long ago or in how much time something happens, with the exact time on hover. */
export function RelativeTime({ time, short = false }) {
    const now = useNow();
    return (_jsx(Tooltip, { label: absoluteTime(time), children: _jsx("time", { dateTime: time, className: "tabular", children: short ? shortAge(time, now) : relativeTime(time, now) }) }));
}
