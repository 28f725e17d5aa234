/**
 * Coordinates the tabs of a browser: only the tab that holds the lock of an upload works on it, and the others show its
 * progress. Without https, browsers have no locks, and each tab works on its own uploads only.
 */
export function createOtherTabs(name) {
    const locks = navigator.locks;
    const channel = new BroadcastChannel(name);
    const releases = new Map();
    const lockName = (id) => `${name} ${id}`;
    return {
        /** Returns whether this tab may work on the upload. The lock is kept until it is released or the tab is closed. */
        claim(id) {
            if (locks === undefined || releases.has(id))
                return Promise.resolve(true);
            return new Promise((resolve, reject) => {
                const hold = (lock) => {
                    resolve(lock !== null);
                    if (lock === null)
                        return undefined;
                    return new Promise((release) => void releases.set(id, release));
                };
                locks.request(lockName(id), { ifAvailable: true }, hold).catch(reject);
            });
        },
        release(id) {
            releases.get(id)?.();
            releases.delete(id);
        },
        async isClaimed(id) {
            if (releases.has(id))
                return false;
            const { held = [] } = (await locks?.query()) ?? {};
            return held.some((lock) => lock.name === lockName(id));
        },
        send: (message) => channel.postMessage(message),
        listen(listener) {
            channel.addEventListener('message', ({ data }) => listener(data));
        },
    };
}
