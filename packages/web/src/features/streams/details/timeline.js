const dayMs = 86400000;
const minSpanMs = 28 * dayMs;
/**
 * Returns a time axis from the oldest build to some time after now. It does not depend on the number of days, so that
 * only the bars move while that is changed.
 */
export function timelineOf(rows, now) {
    const oldest = Math.min(now, ...rows.map(({ build }) => Date.parse(build.created_at)));
    const from = Math.min(oldest, now - minSpanMs);
    const to = now + Math.max(minSpanMs / 2, (now - from) * 0.6);
    return {
        from,
        to,
        /** Returns the position of a time in percent, within the axis. */
        position: (time) => Math.min(100, Math.max(0, ((time - from) / (to - from)) * 100)),
    };
}
/** Returns when a build goes if its stream keeps builds for a number of days; undefined if it stays. */
export function goesAt({ build, kept_by: keptBy }, days) {
    if (days === null || keptBy.some(({ reason }) => reason !== 'stream'))
        return undefined;
    return Date.parse(build.created_at) + days * dayMs;
}
