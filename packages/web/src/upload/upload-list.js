/** Creates the list of uploads in this tab. Each change creates a new list, so that React can compare them. */
export function createUploadList() {
    let uploads = [];
    const listeners = new Set();
    const set = (next) => {
        uploads = next;
        for (const listener of listeners)
            listener();
    };
    return {
        list: () => uploads,
        find: (id) => uploads.find((upload) => upload.id === id),
        /** Adds an upload, or replaces the one with the same ID. */
        put(upload) {
            const others = uploads.filter(({ id }) => id !== upload.id);
            set([...others, upload].toSorted((a, b) => a.createdAt - b.createdAt));
        },
        /** Changes an upload. Does nothing if it has been removed. */
        change(id, change) {
            set(uploads.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
        },
        remove: (id) => set(uploads.filter((upload) => upload.id !== id)),
        subscribe(listener) {
            listeners.add(listener);
            return () => listeners.delete(listener);
        },
    };
}
