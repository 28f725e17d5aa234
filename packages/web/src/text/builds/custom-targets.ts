export const customTargetText = {
  ofWorkspace: 'Workspace custom targets can be used in every application that supports their platform.',
  ofApplication: 'Platform variants, such as a device type, that builds target.',
  none: 'A custom target is a platform variant that a build is made for, such as a device type or a store.',
  off: 'Custom targets are turned off in this workspace. An owner or admin can turn them on in the workspace settings.',
  toggle: 'Builds can have custom targets',
  delete: 'A custom target that a build uses, even in the trash, cannot be deleted.',
  promote:
    'The custom target moves to the workspace, so that every application can use it. Builds keep it. It cannot be moved back.',
  fromWorkspace: 'Workspace',
  promoteTitle: (name: string) => `Move ${name} to the workspace?`,
}
