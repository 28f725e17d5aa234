/** The titles of dialogs that several pages ask before something is lost. */
export const confirmText = {
  delete: (name: string) => `Delete ${name}?`,
  remove: (name: string) => `Remove ${name}?`,
  revoke: (name: string) => `Revoke ${name}?`,
} as const
