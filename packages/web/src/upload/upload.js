const activePhases = new Set([
    'reading',
    'waiting',
    'uploading',
    'retrying',
    'offline',
    'incomplete',
    'verifying',
]);
/** Returns whether this tab is working on the upload, so that closing it would interrupt the upload. */
export const isActive = ({ phase }) => activePhases.has(phase);
export const isFinished = ({ phase }) => phase === 'done';
/** Returns the remaining time in seconds, or null if it is unknown. */
export function secondsLeft({ phase, sizeBytes, sentBytes, bytesPerSecond }) {
    if (phase !== 'uploading' || bytesPerSecond === null || bytesPerSecond < 1)
        return null;
    return (sizeBytes - sentBytes) / bytesPerSecond;
}
