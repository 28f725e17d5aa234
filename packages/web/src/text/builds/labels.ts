export const labelText = {
  ofWorkspace: 'Workspace labels can be used in every application.',
  ofApplication: 'Labels mark builds and releases, for example as passed by QA.',
  none: 'A label marks builds and releases, for example as passed by QA, so that people can filter by it.',
  delete: 'The label is removed from builds and releases. Webhooks limited to it are deleted.',
  promote:
    'The label moves to the workspace, so that every application can use it. Builds and releases keep it. It cannot be moved back.',
  fromWorkspace: 'Workspace',
  deleteTitle: (name: string) => `Delete the label ${name}?`,
  promoteTitle: (name: string) => `Move the label ${name} to the workspace?`,
}
