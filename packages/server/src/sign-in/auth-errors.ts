import { passwordLength } from '../config/sign-in.ts'
import { problem, type Problem } from '../lib/problem.ts'

/** Returns the error for a request that requires a session and has none. */
export const sessionRequired = problem('unauthorized', 'session.required', 'Sign in first.')

/** Returns the error for a value that nothing can have, such as an ID that is not a UUID. */
export const invalidValue = problem(
  'bad_request',
  'sign_in.invalid_value',
  'The request contains an invalid value. Correct it.',
)

/** Returns the error for a link or token that has expired or has been used. */
const linkExpired = problem(
  'gone',
  'sign_in.link_expired',
  'This link has expired or has already been used. Ask for a new one.',
)

const passwordLengthInvalid = problem(
  'invalid',
  'sign_in.invalid_password_length',
  `A password must be ${passwordLength.min} to ${passwordLength.max} characters long.`,
)

const incorrectCode = problem(
  'forbidden',
  'sign_in.incorrect_code',
  'The code is incorrect or has already been used. Enter the current code of your authenticator app or a recovery code.',
)

const signInAgain = problem(
  'unauthorized',
  'sign_in.second_factor_expired',
  'This sign-in has expired. Enter your password again.',
)

const tooManyCodes = problem(
  'too_many',
  'sign_in.too_many_codes',
  'Too many incorrect codes. Try again in ten minutes, or sign in with a passkey.',
  { retryAfterSeconds: 600 },
)

const passkeyRefused = problem(
  'forbidden',
  'sign_in.passkey_refused',
  'The passkey could not be verified. Try again, or sign in another way.',
)

const incorrectPassword = problem(
  'unauthorized',
  'sign_in.incorrect_password',
  'The email address or the password is incorrect.',
)

const passwordNotConfirmed = problem(
  'forbidden',
  'sign_in.password_not_confirmed',
  'The current password is incorrect.',
)

const sessionNotFresh = problem(
  'forbidden',
  'session.not_fresh',
  'This change requires a recent sign-in. Sign in again, then repeat it.',
)

const secondFactorRequired = problem(
  'forbidden',
  'sign_in.second_factor_required',
  'Your account requires a second factor. Sign in with your password or a passkey.',
)

const noWorkspace = problem(
  'forbidden',
  'sign_in.no_workspace',
  'This account does not belong to a workspace. Ask an owner or admin for an invitation.',
)

// better-auth has errors without a code of ours, with either status.
const refused = problem('forbidden', 'sign_in.refused', '{reason}.', { hasSeveralStatuses: true })

const rejected = problem('bad_request', 'sign_in.refused', '{reason}.', { hasSeveralStatuses: true })

const problems: Readonly<Record<string, () => Problem>> = {
  INVALID_EMAIL_OR_PASSWORD: incorrectPassword,
  INVALID_PASSWORD: passwordNotConfirmed,
  PASSWORD_TOO_SHORT: passwordLengthInvalid,
  PASSWORD_TOO_LONG: passwordLengthInvalid,
  INVALID_TOKEN: linkExpired,
  // The account was deleted after the email was sent, or it never existed.
  new_user_signup_disabled: linkExpired,
  SESSION_NOT_FRESH: sessionNotFresh,
  TWO_FACTOR_REQUIRED: secondFactorRequired,
  NO_WORKSPACE: noWorkspace,
  INVALID_CODE: incorrectCode,
  INVALID_BACKUP_CODE: incorrectCode,
  INVALID_TWO_FACTOR_COOKIE: signInAgain,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: tooManyCodes,
  ACCOUNT_TEMPORARILY_LOCKED: tooManyCodes,
  PASSKEY_NOT_FOUND: passkeyRefused,
  AUTHENTICATION_FAILED: passkeyRefused,
  CHALLENGE_NOT_FOUND: passkeyRefused,
  USER_NOT_VERIFIED: passkeyRefused,
}

/** Returns the Problem for an error response of better-auth. Its own text is used for errors without a code of ours. */
export function problemOf(status: number, body: unknown): Problem {
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown }
  const known = typeof code === 'string' ? problems[code] : undefined
  if (known !== undefined) return known()
  if (status === 401) return sessionRequired()
  const reason = typeof message === 'string' && message !== '' ? message : 'The request was refused'
  const text = { reason: reason.replace(/\.$/, '') }
  return status === 403 ? refused(text) : rejected(text)
}

/** Returns whether the error means that a password was checked and was incorrect. */
export const isIncorrectPassword = ({ code }: Problem): boolean =>
  code === 'sign_in.incorrect_password' || code === 'sign_in.password_not_confirmed'
