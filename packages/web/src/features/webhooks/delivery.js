/** Returns the version that a request is about, such as `2.14.0 (8123)`. */
export function subjectOf({ request_payload: { data } }) {
    const subject = (data['build'] ?? data['release']);
    if (subject?.version === undefined)
        return undefined;
    if (typeof subject.title === 'string' && subject.title !== '')
        return `${subject.version} ${subject.title}`;
    return typeof subject.build_number === 'string'
        ? `${subject.version} (${subject.build_number})`
        : subject.version;
}
/** Returns the status of the response, or why there is none, in a word or two. */
export function outcomeText({ response_code: code, error, duration }) {
    if (code !== null)
        return String(code);
    if (error !== null)
        return error.startsWith('No response') ? 'Timeout' : 'No response';
    return duration === null ? 'Queued' : 'No response';
}
/** Returns a duration in milliseconds or seconds, such as `124 ms` or `15.0 s`. */
export const durationText = (ms) => ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
/** Returns the time until a moment, such as `4 min 12 s`; undefined if it has passed. */
export function countdownText(untilMs, nowMs) {
    const seconds = Math.ceil((untilMs - nowMs) / 1000);
    if (seconds <= 0)
        return undefined;
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
    if (hours > 0)
        return `${hours} h ${minutes} min`;
    return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
