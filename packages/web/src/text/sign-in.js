export const passwordHint = 'At least 10 characters.';
/** The sentences of the pages for people who are not signed in. */
export const signInText = {
    continue: 'Sign in to continue.',
    noAccount: 'No account? Ask an owner or admin of your workspace for an invitation.',
    notSetUp: 'This service has no owner yet. Open the set-up link that the server printed when it started.',
    linkSent: (email) => `If ${email} belongs to an account, you will receive a link.`,
    linkSentHint: 'The link works once within 15 minutes. Check the spam folder if it does not arrive.',
    openLink: 'Sign in on this device with the link from your email. It works once.',
    appCode: 'Open your authenticator app and enter the current six-digit code.',
    recoveryCode: 'Enter one of the codes that you saved when you turned on two-factor authentication.',
    trustDevice: 'Do not ask again on this device for 30 days',
    forgot: 'Enter your email address. If it belongs to an account, you will receive a link that sets a new password.',
    noMail: 'This service sends no email, so it cannot send you a link. Sign in with a passkey, or ask the person who runs the server to set up email.',
    resetSent: (email) => `If ${email} belongs to an account, you will receive a link.`,
    resetSentHint: 'The link works once within an hour. Check the spam folder if it does not arrive.',
    reset: 'All your sessions end, and you sign in with the new password.',
    resetDone: 'Your password has been changed, and all your sessions have ended.',
    resetExpired: 'A link that resets a password works once, within an hour. Request a new one.',
};
/** Returns what to show for the `error` in the URL of the sign-in page; undefined if there is none. */
export function signInErrorText(error, provider = 'the identity provider') {
    if (error === undefined)
        return undefined;
    if (error === 'session_ended')
        return { kind: 'info', title: 'Your session has ended. Sign in again.' };
    return {
        kind: 'bad',
        title: ssoErrors[error]?.(provider) ?? `Signing in with ${provider} failed. Try again.`,
    };
}
const ssoErrors = {
    NOT_INVITED: () => 'You have not been invited. Ask an owner or admin for an invitation.',
    NO_WORKSPACE: () => 'Your account no longer belongs to a workspace. Ask an owner or admin for an invitation.',
    account_not_linked: (provider) => `Your email address already has an account, but ${provider} has not verified the address. Sign in another way.`,
    access_denied: (provider) => `You canceled signing in with ${provider}.`,
    invalid_code: (provider) => `${provider} refused the sign-in. Try again, or ask an administrator to check the server log.`,
    unable_to_get_user_info: (provider) => `${provider} sent an invalid response. Ask an administrator to check the server log.`,
};
