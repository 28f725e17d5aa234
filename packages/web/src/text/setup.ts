/** The sentences of the set-up. */
export const setupText = {
  intro: 'Name your workspace, create your account and your first application.',
  closed:
    'The set-up link works once. Sign in with the account that was created, or ask its owner for an invitation.',
  noToken:
    'The server prints the link when it starts without an owner. Restart the server to print it again.',
  ownerCreated: 'Your account has been created. Try again to create the application.',
  ready: 'Drop a file here, or run one of the commands below.',
  secret: 'Store the API key below as a secret named QUAYSIDE_API_KEY.',
  key: (application: string) =>
    `This key can upload builds to ${application}. It is shown only now, so store it where your CI system keeps its secrets.`,
  waiting: 'The build appears here as soon as it arrives.',
  addPasskey: 'Add a passkey to sign in without your password',
} as const
