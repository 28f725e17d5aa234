const dayMs = 86400000;
/** Returns the number of downloads on each of the last days, in the time zone of the browser, oldest day first. */
export function downloadsPerDay(downloads, days, nowMs) {
    const today = startOfDay(nowMs);
    const result = Array.from({ length: days }, (_, index) => {
        const day = new Date(today);
        day.setDate(day.getDate() - (days - 1 - index));
        return { day, count: 0 };
    });
    for (const { created_at: time } of downloads) {
        // Days with a change of daylight saving time have 23 or 25 hours, so the quotient is rounded.
        const age = Math.round((today.getTime() - startOfDay(Date.parse(time)).getTime()) / dayMs);
        const entry = result[days - 1 - age];
        if (entry !== undefined)
            entry.count++;
    }
    return result;
}
function startOfDay(time) {
    const day = new Date(time);
    day.setHours(0, 0, 0, 0);
    return day;
}
