/** The sentences of the set-up. */
export const setupText = {
  intro: 'Name your workspace, create your account and your first application.',
  closedTitle: 'Quayside is already set up',
  closed:
    'The set-up link works once. Sign in with the account you created, or ask the workspace owner for an invitation.',
  done: 'The API key of the set-up cannot be shown again. If you have not stored it, create another one.',
  noToken:
    'The server prints the link when it starts without an owner. Restart the server to print it again.',
  ownerCreated: 'Your account has been created. Try again to create the application.',
  uploadFirst: (application: string) => `Upload the first build of ${application}`,
  ready: 'Drop a file here, or run one of the commands below.',
  hasFirst: (application: string) => `${application} has its first build`,
  next: 'Open the build to install or share it. Save the API key below before you continue.',
  orUpload: 'Or upload from a terminal or CI',
  uploadNext: 'Upload the next build from a terminal or CI',
  reading: 'reading package…',
  secret: 'Store the API key below as a secret named QUAYSIDE_API_KEY.',
  key: (application: string) =>
    `This key can upload builds to ${application}. It is shown only now, so store it where your CI system keeps its secrets.`,
  waiting: 'The build appears here as soon as it arrives.',
  addPasskey: 'Add a passkey to sign in without your password',
} as const
