const windowMs = 8000;
const minSpanMs = 1000;
/** Measures a speed over the last eight seconds, so that it changes smoothly. */
export function createTransferRate() {
    let samples = [];
    return {
        /** Records the bytes sent so far. Returns the bytes per second, or null during the first second. */
        measure(bytes, nowMs) {
            // The count decreases when a part has to be sent again. The measurement then starts over.
            if ((samples.at(-1)?.bytes ?? 0) > bytes)
                samples = [];
            samples.push({ atMs: nowMs, bytes });
            const firstRecent = samples.findIndex(({ atMs }) => atMs >= nowMs - windowMs);
            samples = samples.slice(Math.max(0, firstRecent));
            const [first] = samples;
            if (first === undefined || nowMs - first.atMs < minSpanMs)
                return null;
            return ((bytes - first.bytes) * 1000) / (nowMs - first.atMs);
        },
        reset() {
            samples = [];
        },
    };
}
