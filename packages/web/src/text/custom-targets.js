export const customTargetText = {
    ofWorkspace: 'Custom targets of the workspace can be used in every application that supports their platform.',
    ofApplication: 'Variants of a platform, such as a device type, that builds can be made for.',
    none: 'A custom target is a variant of a platform, such as a device type or a store, that a build is made for.',
    off: 'Custom targets are turned off in this workspace. An owner or admin can turn them on in the settings of the workspace.',
    toggle: 'Builds can have custom targets',
    delete: 'A custom target that a build uses, even in the trash, cannot be deleted.',
    promote: 'The custom target moves to the workspace, so that every application can use it. Builds keep it. It cannot be moved back.',
    fromWorkspace: 'Workspace',
};
