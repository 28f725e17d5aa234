import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Group, NativeSelect, TextInput } from '@mantine/core';
import { calendarDay } from '../../ui/time.ts';
const msPerDay = 86400000;
const inDays = (days) => new Date(Date.now() + days * msPerDay);
const dayOf = (time) => time.toISOString().slice(0, 10);
/** Selects when something expires. */
export function ExpiryField({ value, onChange, error }) {
    const isDate = value.includes('-') || value === '';
    return (_jsxs(Group, { align: "end", gap: "xs", grow: true, children: [_jsx(NativeSelect, { label: "Expires", error: error, value: isDate ? 'date' : value, onChange: ({ currentTarget }) => onChange(currentTarget.value === 'date' ? dayOf(inDays(180)) : currentTarget.value), data: [
                    ...[30, 90, 365].map((days) => ({
                        value: String(days),
                        label: `In ${days === 365 ? '1 year' : `${days} days`}, on ${calendarDay(inDays(days).toISOString())}`,
                    })),
                    { value: 'date', label: 'On another day' },
                    { value: 'never', label: 'Never' },
                ] }), isDate && (_jsx(TextInput, { type: "date", "aria-label": "Day", min: dayOf(inDays(1)), value: value, onChange: ({ currentTarget }) => onChange(currentTarget.value) }))] }));
}
/** Returns the expiry as the API expects it: the end of the day, or null for never. */
export function expiresAt(expiry) {
    if (expiry === 'never' || expiry === '')
        return null;
    if (expiry.includes('-'))
        return new Date(`${expiry}T23:59:59`).toISOString();
    return inDays(Number(expiry)).toISOString();
}
