import type { Label, ListedBuild, Stream } from '@quayside/sdk'
import type { BuildAction } from './build-actions.ts'

const hasLabel = ({ labels }: Pick<ListedBuild, 'labels'>, { id }: Label): boolean =>
  labels.some((label) => label.id === id)

/** The changes that can be made to several builds at once. */
export const buildChanges = {
  keep: (): BuildAction => ({
    body: { action: 'keep' },
    done: 'kept forever',
    undo: { action: 'unkeep' },
    changes: (build) => !build.keep_forever,
    preview: (build) => ({ ...build, keep_forever: true }),
  }),
  unkeep: (): BuildAction => ({
    body: { action: 'unkeep' },
    done: 'no longer kept forever',
    undo: { action: 'keep' },
    changes: (build) => build.keep_forever,
    preview: (build) => ({ ...build, keep_forever: false }),
  }),
  delete: (): BuildAction => ({
    body: { action: 'delete' },
    done: 'moved to the trash',
    undo: { action: 'restore' },
    changes: () => true,
    preview: () => undefined,
  }),
  restore: (): BuildAction => ({
    body: { action: 'restore' },
    done: 'restored',
    undo: { action: 'delete' },
    changes: () => true,
    preview: () => undefined,
  }),
  /** `from` is the stream to which undo moves the builds; undefined if they come from several streams. */
  move: (stream: Stream, from: Stream | undefined): BuildAction => ({
    body: { action: 'move', stream: stream.id },
    done: `moved to ${stream.name}`,
    undo: from && { action: 'move', stream: from.id },
    changes: (build) => build.stream.id !== stream.id,
    preview: (build) => ({ ...build, stream }),
  }),
  label: (label: Label): BuildAction => ({
    body: { action: 'label', labels: [label.id] },
    done: `labeled ${label.name}`,
    undo: { action: 'unlabel', labels: [label.id] },
    changes: (build) => !hasLabel(build, label),
    preview: (build) => ({
      ...build,
      labels: hasLabel(build, label) ? build.labels : [...build.labels, label],
    }),
  }),
  unlabel: (label: Label): BuildAction => ({
    body: { action: 'unlabel', labels: [label.id] },
    done: `no longer labeled ${label.name}`,
    undo: { action: 'label', labels: [label.id] },
    changes: (build) => hasLabel(build, label),
    preview: (build) => ({ ...build, labels: build.labels.filter(({ id }) => id !== label.id) }),
  }),
}
