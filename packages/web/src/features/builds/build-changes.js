/** The changes that can be made to several builds at once. */
export const buildChanges = {
    keep: () => ({
        body: { action: 'keep' },
        done: 'kept forever',
        undo: { action: 'unkeep' },
        preview: (build) => ({ ...build, keep_forever: true }),
    }),
    unkeep: () => ({
        body: { action: 'unkeep' },
        done: 'no longer kept forever',
        undo: { action: 'keep' },
        preview: (build) => ({ ...build, keep_forever: false }),
    }),
    delete: () => ({
        body: { action: 'delete' },
        done: 'moved to the trash',
        undo: { action: 'restore' },
        preview: () => undefined,
    }),
    restore: () => ({
        body: { action: 'restore' },
        done: 'restored',
        undo: { action: 'delete' },
        preview: () => undefined,
    }),
    /** `from` is the stream to which undo moves the builds; undefined if they come from several streams. */
    move: (stream, from) => ({
        body: { action: 'move', stream: stream.id },
        done: `moved to ${stream.name}`,
        undo: from && { action: 'move', stream: from.id },
        preview: (build) => ({ ...build, stream }),
    }),
    label: (label) => ({
        body: { action: 'label', labels: [label.id] },
        done: `labeled ${label.name}`,
        undo: { action: 'unlabel', labels: [label.id] },
        preview: (build) => ({
            ...build,
            labels: build.labels.some(({ id }) => id === label.id) ? build.labels : [...build.labels, label],
        }),
    }),
    unlabel: (label) => ({
        body: { action: 'unlabel', labels: [label.id] },
        done: `no longer labeled ${label.name}`,
        undo: { action: 'label', labels: [label.id] },
        preview: (build) => ({ ...build, labels: build.labels.filter(({ id }) => id !== label.id) }),
    }),
};
