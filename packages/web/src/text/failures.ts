/** The sentences about pages that do not exist and requests that failed. */
export const failureText = {
  notFound: 'This page does not exist or has been deleted, or you do not have access to it.',
  unknownAddress: 'There is nothing at this address. Check that it is complete.',
  sessionEnded: 'Your session has ended. Sign in and try again.',
  unreachable: 'The server cannot be reached. Your changes are still here; try again in a moment.',
  notCopied: 'The browser did not allow to copy. Select the text and copy it.',
  status: (status: number) => `The server responded with status ${status}.`,
} as const

/** Why a part of the console could not be loaded. */
export const loadFailures = {
  unreachable: 'This part of the console could not be loaded. Check your connection and try again.',
  newer: 'A new version of the console is available. Reload the page to continue.',
  failed: 'This part of the console could not be loaded. Reload the page to try again.',
} as const
