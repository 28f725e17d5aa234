const prefix = 'restore '

/** Returns what a storage contains instead of the ID of an installation while files are restored to it. */
export const restoreClaim = (restoreId: string): string => `${prefix}${restoreId}`

export const isRestoreClaim = (storageId: string | undefined): boolean =>
  storageId?.startsWith(prefix) === true
