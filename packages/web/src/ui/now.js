import { useSyncExternalStore } from 'react';
const intervalMs = 20000;
const listeners = new Set();
let now = Date.now();
let timer;
function subscribe(listener) {
    listeners.add(listener);
    timer ??= window.setInterval(() => {
        now = Date.now();
        for (const each of listeners)
            each();
    }, intervalMs);
    return () => {
        listeners.delete(listener);
        if (listeners.size > 0)
            return;
        window.clearInterval(timer);
        timer = undefined;
    };
}
/** Returns the current time in milliseconds, updated every 20 seconds for all components by one timer. */
export const useNow = () => useSyncExternalStore(subscribe, () => now);
