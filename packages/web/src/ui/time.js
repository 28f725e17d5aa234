const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const units = [
    ['year', 365 * 86400],
    ['month', 30 * 86400],
    ['day', 86400],
    ['hour', 3600],
    ['minute', 60],
];
// Times are compared with a clock that is up to 20 seconds late.
const lateSeconds = 20;
/** Returns a time relative to now, such as "3 min. ago" or "in 2 days". */
export function relativeTime(timestamp, nowMs) {
    const seconds = (Date.parse(timestamp) - nowMs) / 1000;
    for (const [unit, unitSeconds] of units)
        if (Math.abs(seconds) >= unitSeconds)
            return relative.format(Math.trunc(seconds / unitSeconds), unit);
    return seconds > lateSeconds ? 'in a moment' : 'just now';
}
/** Returns an age without "ago" for narrow columns, such as "3 min" or "2 d". */
export function shortAge(timestamp, nowMs) {
    const seconds = Math.abs(nowMs - Date.parse(timestamp)) / 1000;
    if (seconds < 60)
        return 'now';
    if (seconds < 3600)
        return `${Math.trunc(seconds / 60)} min`;
    if (seconds < 86400)
        return `${Math.trunc(seconds / 3600)} h`;
    if (seconds < 60 * 86400)
        return `${Math.trunc(seconds / 86400)} d`;
    if (seconds < 2 * 365 * 86400)
        return `${Math.trunc(seconds / (30 * 86400))} mo`;
    return `${Math.trunc(seconds / (365 * 86400))} y`;
}
export const absoluteTime = (timestamp) => absolute.format(new Date(timestamp));
export const calendarDay = (timestamp) => day.format(new Date(timestamp));
/** Returns the whole days from now until the timestamp; negative if it is in the past. */
export const daysUntil = (timestamp, nowMs) => Math.floor((Date.parse(timestamp) - nowMs) / 86400000);
/** Returns a duration with one or two units, such as "8 s", "3 min" or "1 h 5 min". */
export function formatTimeLeft(seconds) {
    if (seconds < 60)
        return `${Math.max(1, Math.round(seconds))} s`;
    const minutes = Math.round(seconds / 60);
    if (minutes < 60)
        return `${minutes} min`;
    const hours = Math.floor(minutes / 60);
    return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
