export const passwordHint = 'At least 10 characters.'

/** The sentences of the pages for people who are not signed in. */
export const signInText = {
  ended: 'Your session has ended',
  textKept: 'Sign in again to continue. What you typed on this page is kept.',
  continue: 'Sign in to continue.',
  noAccount: 'No account? Ask an owner or admin of your workspace for an invitation.',
  notSetUp: 'This service has no owner yet. Open the set-up link that the server printed when it started.',
  linkSent: (email: string) => `If ${email} belongs to an account, you will receive a link.`,
  linkSentHint: 'The link works once within 15 minutes. Check the spam folder if it does not arrive.',
  openLink: 'Sign in on this device with the link from your email. It works once.',
  appCode: 'Open your authenticator app and enter the current six-digit code.',
  recoveryCode: 'Enter a recovery code that you saved when you turned on two-factor authentication.',
  trustDevice: 'Do not ask again on this device for 30 days',
  forgot:
    'Enter your email address. If it belongs to an account, you will receive a link to set a new password.',
  noMail:
    'This service sends no email, so it cannot send you a link. Sign in with a passkey, or ask your server administrator to set up email.',
  resetSent: (email: string) => `If ${email} belongs to an account, you will receive a link.`,
  resetSentHint: 'The link works once within an hour. Check the spam folder if it does not arrive.',
  reset: 'All your sessions end, and you sign in with the new password.',
  resetDone: 'Your password has been changed, and all your sessions have ended.',
  resetExpired: 'Password reset links work once, within an hour. Request a new one.',
  forgotPassword: 'Forgot password?',
} as const

type Notice = { kind: 'info' | 'bad'; title: string }

/** Returns what to show for the `error` in the URL of the sign-in page; undefined if there is none. */
export function signInErrorText(
  error: string | undefined,
  provider = 'the identity provider',
): Notice | undefined {
  if (error === undefined) return undefined
  if (error === 'session_ended') return { kind: 'info', title: 'Your session has ended. Sign in again.' }
  return {
    kind: 'bad',
    title: ssoErrors[error]?.(provider) ?? `Signing in with ${provider} failed. Try again.`,
  }
}

const ssoErrors: Readonly<Record<string, (provider: string) => string>> = {
  NOT_INVITED: () => 'You have not been invited. Ask an owner or admin for an invitation.',
  NO_WORKSPACE: () =>
    'Your account no longer belongs to a workspace. Ask an owner or admin for an invitation.',
  account_not_linked: (provider) =>
    `Your email address already has an account, but ${provider} has not verified the address. Sign in another way.`,
  access_denied: (provider) => `You canceled signing in with ${provider}.`,
  email_not_found: (provider) =>
    `${provider} did not send exactly one email address for you. Ask an administrator to check your account there.`,
  state_mismatch: (provider) =>
    `Signing in with ${provider} was started in another browser or took too long. Try again.`,
  invalid_code: (provider) =>
    `${provider} could not be reached or refused the sign-in. Try again, or ask an administrator to check the server log.`,
  unable_to_get_user_info: (provider) =>
    `${provider} sent an invalid response. Ask an administrator to check the server log.`,
  'oidc.issuer_unreachable': (provider) => `${provider} could not be reached. Try again in a minute.`,
  'oidc.issuer_unusable': (provider) =>
    `${provider} is not configured correctly. Ask an administrator to check the server log.`,
}
