/** The sentences of the account page. */
export const accountText = {
  profile: 'Other members of the workspace see your name and email address.',
  name: 'Shown to the members of this workspace and in its audit log.',
  saved: 'Profile saved.',
  notVerified: 'This address is not verified, so it cannot be used for single sign-on.',
  password: 'Changing your password ends all your other sessions.',
  passwordChanged: 'Password changed. All other sessions ended.',
  passkeys: 'Sign in with your fingerprint, face or device PIN instead of a password and a code.',
  passkeysEmpty:
    'Add a passkey on each device that you use, or a single one if your password manager syncs them.',
  noPasskeys: 'Passkeys need a browser that supports them and a service that uses HTTPS.',
  addPasskey: 'Your browser asks where to save the passkey. The name helps you recognize it later.',
  passkeyCanceled: 'No passkey was created. Try again when you are ready.',
  passkeyExists: 'This device already has a passkey for your account.',
  deletePasskey:
    'You can no longer sign in with this passkey. Also delete it from your device or password manager, which would otherwise still offer it.',
  signInAgain: 'This change requires a sign-in within the last hour. Sign in again to continue.',
  twoFactor: 'Asks for a code from your authenticator app after your password.',
  disableTwoFactor: 'Your password alone will be enough to sign in, and your recovery codes stop working.',
  newCodes: 'Your saved recovery codes stop working.',
  openApp: 'Open the app on this device',
  manualSecret: 'Or enter this secret in the app:',
  firstCode: 'Six digits. Two-factor authentication is on once you have entered them.',
  recoveryCodes:
    'Each code signs you in once if you lose your authenticator app. They are shown only now. Keep them in a safe place.',
  sessions:
    'Browsers where you are signed in. A session ends after 30 days of inactivity. If you end one, all trusted browsers need a code again.',
  endOthers: 'You stay signed in here. Every other browser must sign in again.',
  apiKeys: 'Workspace keys that you created. They are revoked if you stop being an owner or admin.',
  apiKeysEmpty:
    'Scripts sign in with API keys, not your password. Application keys are in the settings of each application.',
  passkeyAdded: 'Passkey added.',
  passkeyDeleted: 'Passkey deleted.',
  twoFactorOff: 'Two-factor authentication turned off.',
  sessionEnded: 'Session ended.',
  othersEnded: 'All other sessions ended.',
} as const

export const roleNames: Readonly<Record<'owner' | 'admin' | 'member', string>> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
}
