/** The sentences of the account page. */
export const accountText = {
  profile: 'Other members of the workspace see your name and email address.',
  name: 'Shown to the members of this workspace and in its audit log.',
  saved: 'Profile saved.',
  notVerified: 'Nobody has proved access to this mailbox, so it cannot be used for single sign-on.',
  password: 'Changing your password ends all your other sessions.',
  passwordChanged: 'Password changed. All other sessions ended.',
  passkeys:
    'Sign in with your fingerprint, your face or the PIN of your device instead of a password and a code.',
  passkeysEmpty:
    'Add a passkey on each device that you use, or a single one if your password manager syncs them.',
  noPasskeys: 'This browser does not support passkeys, or the address of the service does not use HTTPS.',
  addPasskey: 'Your browser asks where to save the passkey. The name helps you recognize it later.',
  passkeyCanceled: 'No passkey was created. Try again when you are ready.',
  passkeyExists: 'This device already has a passkey for your account.',
  deletePasskey:
    'You can no longer sign in with this passkey. Also delete it from your device or password manager, which would otherwise still offer it.',
  signInAgain:
    'This change requires a sign-in within the last hour. Sign in again, and you return to this page.',
  twoFactor: 'Asks for a code of an authenticator app after your password.',
  disableTwoFactor: 'Your password alone will be enough to sign in, and your recovery codes stop working.',
  newCodes: 'The recovery codes that you have saved stop working.',
  openApp: 'Open the app on this device',
  manualSecret: 'Or enter this secret in the app:',
  firstCode: 'Six digits. Two-factor authentication is on once you have entered them.',
  recoveryCodes:
    'Each code signs you in once if you lose your authenticator app. They are shown only now. Keep them in a safe place.',
  sessions: 'The browsers in which you are signed in. A session ends after 30 days without use.',
  endOthers: 'You stay signed in here. Every other browser must sign in again.',
  apiKeys: 'Workspace keys that you have created. They are revoked when you are no longer an owner or admin.',
  apiKeysEmpty: 'Programs use keys instead of your password. Keys of an application are in its settings.',
} as const

export const roleNames: Readonly<Record<'owner' | 'admin' | 'member', string>> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
}
