import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { releaseText } from '../../text/release.ts';
import { useNow } from '../../ui/now.ts';
import { relativeTime } from '../../ui/time.ts';
const dayMs = 86400000;
/** Chooses when a release is published, in the time zone of the person. */
export function ScheduleFields({ value, onChange, error }) {
    const now = useNow();
    const time = value === '' ? undefined : new Date(value);
    const isValid = time !== undefined && !Number.isNaN(time.getTime());
    return (_jsxs(Stack, { gap: "xs", children: [_jsx(TextInput, { type: "datetime-local", label: "Publish at", description: releaseText.schedule.zone(localZone(isValid ? time : new Date(now))), value: value, min: localInput(new Date(now)), onChange: (event) => onChange(event.currentTarget.value), error: error ?? (isValid && time.getTime() <= now ? releaseText.schedule.past : undefined), required: true, "data-autofocus": true }), _jsx(Group, { gap: 6, children: suggestions(new Date(now)).map(({ label, at }) => (_jsx(Button, { size: "compact-xs", variant: "default", onClick: () => onChange(localInput(at)), children: label }, label))) }), _jsx(Text, { fz: "xs", c: "dimmed", "aria-live": "polite", children: isValid && time.getTime() > now
                    ? `${capitalized(relativeTime(time.toISOString(), now))}.${time.getTimezoneOffset() === 0 ? '' : ` ${releaseText.schedule.inUtc(utcTime(time))}`}`
                    : '\u00A0' })] }));
}
/** Returns the ISO timestamp of a local time; undefined if it is missing or not in the future. */
export function futureTimestamp(value) {
    const time = new Date(value);
    return time.getTime() > Date.now() ? time.toISOString() : undefined;
}
/** Returns a time as date inputs write it, in the time zone of the person. */
export function localInput(time) {
    return new Date(time.getTime() - time.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}
/** Returns the time zone of the person with its offset at a time, such as `Europe/Madrid (GMT+1)`. */
export function localZone(at) {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const offset = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
        .formatToParts(at)
        .find(({ type }) => type === 'timeZoneName')?.value;
    return offset === undefined || offset === timeZone ? timeZone : `${timeZone} (${offset})`;
}
/** Returns a time in UTC, such as `Dec 1, 2026, 09:00`. */
export const utcTime = (time) => new Intl.DateTimeFormat('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    hour12: false,
    timeZone: 'UTC',
}).format(time);
function suggestions(now) {
    const morning = (days) => {
        const at = new Date(now.getTime() + days * dayMs);
        at.setHours(9, 0, 0, 0);
        return at;
    };
    const daysToMonday = (8 - now.getDay()) % 7 || 7;
    return [
        { label: 'In 1 hour', at: new Date(Math.ceil((now.getTime() + 3600000) / 60000) * 60000) },
        { label: 'Tomorrow, 9:00', at: morning(1) },
        ...(daysToMonday === 1 ? [] : [{ label: 'Monday, 9:00', at: morning(daysToMonday) }]),
    ];
}
const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);
