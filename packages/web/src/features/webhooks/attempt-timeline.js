import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { webhookText } from '../../text/webhooks.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import { absoluteTime } from '../../ui/time.ts';
import classes from './attempt-timeline.module.css';
import { countdownText, durationText, outcomeText } from './delivery.ts';
const timeOfDay = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });
const dayAndTime = new Intl.DateTimeFormat('en', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
});
/** Lists the attempts of a request, and counts down to the next one. */
export function AttemptTimeline({ request }) {
    const { attempts, delivery_attempts: count, next_attempt_at: nextAt, created_at: createdAt } = request;
    const missing = count - attempts.length - (request.state === 'waiting' ? 1 : 0);
    return (_jsxs("ol", { className: classes.timeline, "aria-label": "Attempts", children: [missing > 0 && _jsx("li", { className: classes.soft, children: webhookText.notRecorded }), attempts.map((attempt, index) => {
                const isGood = attempt.response_code !== null && Math.trunc(attempt.response_code / 100) === 2;
                return (_jsxs("li", { className: classes.attempt, children: [_jsx(StatusDot, { tone: isGood ? 'good' : 'bad' }), _jsx("span", { className: classes.number, children: index + 1 + Math.max(0, missing) }), _jsx(Tooltip, { label: absoluteTime(attempt.started_at), children: _jsx("time", { dateTime: attempt.started_at, className: classes.time, children: timeText(attempt.started_at, createdAt) }) }), _jsx("b", { children: outcomeText(attempt) }), _jsx("span", { className: classes.soft, children: durationText(attempt.duration) }), attempt.error !== null && _jsx("span", { className: classes.error, children: attempt.error })] }, attempt.started_at));
            }), nextAt !== null && (_jsxs("li", { className: classes.attempt, children: [_jsx(StatusDot, { tone: "new" }), _jsx("span", { className: classes.number, children: attempts.length + 1 + Math.max(0, missing) }), _jsx(NextAttempt, { at: nextAt })] }))] }));
}
/** Returns the time of day, with the date if the attempt was on a later day than the request. */
function timeText(startedAt, createdAt) {
    const [started, created] = [new Date(startedAt), new Date(createdAt)];
    return (started.toDateString() === created.toDateString() ? timeOfDay : dayAndTime).format(started);
}
function NextAttempt({ at }) {
    const [now, setNow] = useState(Date.now);
    useEffect(() => {
        const timer = setInterval(() => setNow(Date.now()), 1000);
        return () => clearInterval(timer);
    }, []);
    const remaining = countdownText(Date.parse(at), now);
    return (_jsx("span", { className: "tabular", children: remaining === undefined ? webhookText.sending : `Next attempt in ${remaining}` }));
}
