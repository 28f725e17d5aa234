/** Limits how many parts are sent at the same time. Parts of the upload that was added first go first. */
export function createConnectionSlots(count) {
    let free = count;
    const waiting = [];
    function release() {
        const next = waiting.shift();
        if (next === undefined)
            free++;
        else
            next.start();
    }
    return {
        /** Runs the work when a connection is free. `order` is the time at which the upload was added. */
        async run(order, signal, work) {
            signal.throwIfAborted();
            if (free > 0)
                free--;
            else
                await turn(order, signal);
            try {
                return await work();
            }
            finally {
                release();
            }
        },
    };
    function turn(order, signal) {
        return new Promise((resolve, reject) => {
            const leave = () => {
                waiting.splice(waiting.indexOf(waiter), 1);
                reject(signal.reason);
            };
            const waiter = {
                order,
                start: () => {
                    signal.removeEventListener('abort', leave);
                    resolve();
                },
            };
            signal.addEventListener('abort', leave, { once: true });
            const position = waiting.findIndex((other) => other.order > order);
            waiting.splice(position === -1 ? waiting.length : position, 0, waiter);
        });
    }
}
