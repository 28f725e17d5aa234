import type { PasskeyOptions } from '@better-auth/passkey'
import type { BetterAuthOptions as BetterAuthConfig } from 'better-auth'
import type { Config } from '../config/config.ts'
import { passwordLength } from '../config/sign-in.ts'
import type { Deps } from '../deps.ts'
import { sessionSeconds } from '../http/wire/session-cookie.ts'
import { shortId, uuidV7 } from '../lib/ids.ts'
import type { JsonReader, Poster } from '../net/outgoing.ts'
import { findSignInState, isCurrentPassword } from './account.db.ts'
import { createSignIns, type SignIns } from './identity-groups.ts'
import { createOneTimeCodes } from './one-time-codes.ts'
import type { SignInMails } from './sign-in-mails.ts'
import { createSsoProvider } from './sso-provider.ts'
import { versionSecrets } from './two-factor.db.ts'

/** The decisions about people that belong to features above this folder. */
export type SignInRules = {
  /** Returns whether a person without an account may join after single sign-on. */
  mayJoin(user: { email: string; isVerified: boolean }): Promise<boolean>
  /** Adds the person to the workspaces that they may join. Returns false if there is none. */
  join(user: { id: string; email: string; name: string; isVerified: boolean }): Promise<boolean>
  /** Returns whether a team has members by groups of the identity provider. */
  needsGroups(): Promise<boolean>
  /** Adds the person to the teams of their groups, and removes them from those that other groups gave them. */
  applyGroups(userId: string, groups: readonly string[]): Promise<void>
}

export type BetterAuthOptions = Pick<
  Deps,
  'db' | 'clock' | 'config' | 'issuerKeys' | 'log' | 'passwords' | 'sessionCookie'
> & {
  reader: JsonReader
  poster: Poster
  mails: SignInMails
  rules: SignInRules
  /** Called when a password has been reset by the owner of the mailbox, who can now sign in from this network. */
  onPasswordReset: (email: string, network: string) => Promise<void>
}

type Refuse = (code: string, message: string) => Error

export type AuthHandler = (request: Request) => Promise<Response>

/** Request headers that the routes set and better-auth reads. A client cannot set them. */
export const clientHeaders = {
  address: 'quayside-client-address',
  network: 'quayside-client-network',
} as const

const freshSessionSeconds = 60 * 60
const renewalSeconds = 24 * 60 * 60

/**
 * Creates the handler of better-auth for `/api/auth`. Loading its modules takes 0.2 s of CPU time, so this must not run
 * during startup.
 */
export async function createBetterAuth(options: BetterAuthOptions): Promise<AuthHandler> {
  const [{ betterAuthAdapter }, { betterAuth }, { APIError }, ...plugins] = await Promise.all([
    import('./better-auth.db.ts'),
    import('better-auth/minimal'),
    import('better-auth/api'),
    import('better-auth/plugins/magic-link'),
    import('better-auth/plugins/two-factor'),
    import('@better-auth/passkey'),
  ])
  const [{ magicLink }, { twoFactor }, { passkey }] = plugins
  const { db, config, sessionCookie, mails } = options
  const { origin, hostname } = new URL(config.publicUrl)
  const refuse = (code: string, message: string) => new APIError('FORBIDDEN', { code, message })
  const signIns = createSignIns()

  const auth = betterAuth({
    appName: 'Quayside',
    baseURL: `${config.publicUrl}/api/auth`,
    trustedOrigins: [origin],
    secret: sessionCookie.key,
    secrets: versionSecrets(sessionCookie.keys),
    database: betterAuthAdapter(db),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: createLogger(options.log),
    // An error that is not a refusal, such as an unavailable database, is passed on to our error handler.
    onAPIError: { errorURL: `${config.publicUrl}/sign-in`, throw: true },
    advanced: {
      cookiePrefix: sessionCookie.namePrefix,
      useSecureCookies: false,
      defaultCookieAttributes: { secure: sessionCookie.isSecure, sameSite: 'lax', httpOnly: true, path: '/' },
      ipAddress: { ipAddressHeaders: [clientHeaders.address], ipv6Subnet: 128 },
      database: { generateId: ({ model }) => (model === 'user' ? shortId(10) : uuidV7()) },
    },
    ...models,
    emailAndPassword: passwordSettings(options),
    databaseHooks: databaseHooks(options, refuse, signIns),
    plugins: [
      magicLink({
        disableSignUp: true,
        storeToken: 'hashed',
        expiresIn: mails.validSeconds.signInLink,
        sendMagicLink: async ({ email, token }) => mails.sendSignInLink(email, token),
      }),
      twoFactor({
        issuer: `Quayside (${hostname})`,
        allowPasswordless: true,
        accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: 600 },
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: twoFactorModel,
        },
      }),
      passkey(passkeySettings({ origin, hostname }, refuse)),
      await createOneTimeCodes(db, options.clock),
      ...(config.oidc === undefined ? [] : [singleSignOn(config.oidc, options, signIns)]),
    ],
  })
  return (request) => signIns.run({ groups: undefined }, () => auth.handler(request))
}

const createLogger = (log: BetterAuthOptions['log']) =>
  ({
    log(level, message, ...details) {
      if (level !== 'error') return
      const cause = details.find((detail) => detail instanceof Error)?.message
      log.warn({ reason: message, cause }, 'a sign-in failed')
    },
  }) satisfies BetterAuthConfig['logger']

const passwordSettings = ({ db, passwords, mails, onPasswordReset }: BetterAuthOptions) =>
  ({
    enabled: true,
    disableSignUp: true,
    minPasswordLength: passwordLength.min,
    maxPasswordLength: passwordLength.max,
    resetPasswordTokenExpiresIn: mails.validSeconds.passwordReset,
    revokeSessionsOnPasswordReset: true,
    password: {
      hash: (password) => passwords.hash(password),
      // The password can change while it is verified, which must end its use.
      verify: async ({ hash, password }) =>
        (await passwords.verify(password, hash)) && (await isCurrentPassword(db, hash)),
    },
    sendResetPassword: async ({ user, token }) => mails.sendPasswordReset(user.email, token),
    onPasswordReset: async ({ user }, request) =>
      onPasswordReset(user.email, request?.headers.get(clientHeaders.network) ?? 'unknown'),
  }) satisfies BetterAuthConfig['emailAndPassword']

function passkeySettings({ origin, hostname }: Pick<URL, 'origin' | 'hostname'>, refuse: Refuse) {
  const requireUserVerified = (isVerified = false) => {
    if (!isVerified) throw refuse('USER_NOT_VERIFIED', 'Unlock the passkey with a PIN, fingerprint or face.')
  }
  return {
    rpID: hostname,
    rpName: 'Quayside',
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: 'passkey_challenge' },
    // A passkey replaces both factors, so a touch without a PIN or biometrics is not enough.
    registration: {
      afterVerification: async ({ verification }) =>
        requireUserVerified(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: async ({ verification }) =>
        requireUserVerified(verification.authenticationInfo.userVerified),
    },
    schema: { passkey: passkeyModel },
  } satisfies PasskeyOptions
}

function singleSignOn(settings: NonNullable<Config['oidc']>, options: BetterAuthOptions, signIns: SignIns) {
  const provider = createSsoProvider({
    settings,
    ...options,
    needsGroups: options.rules.needsGroups,
    onGroups(groups) {
      const signIn = signIns.getStore()
      if (signIn !== undefined) signIn.groups = groups
    },
  })
  return { id: 'quayside-sso', init: () => ({ context: { socialProviders: [provider] } }) }
}

/** Decides who may create an account or start a session. */
const databaseHooks = ({ db, rules }: BetterAuthOptions, refuse: Refuse, signIns: SignIns) =>
  ({
    user: {
      create: {
        before: async ({ email, emailVerified }) => {
          if (!(await rules.mayJoin({ email, isVerified: emailVerified })))
            throw refuse('NOT_INVITED', 'You have not been invited. Ask an owner or admin for an invitation.')
        },
      },
    },
    account: {
      // The tokens of the identity provider are not needed after sign-in, so they are not stored.
      create: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
      update: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
    },
    session: {
      create: {
        before: async ({ userId }, context) => {
          const user = await findSignInState(db, userId)
          if (user === undefined) return false
          const path = context?.path ?? ''
          if (user.two_factor_enabled && path === '/magic-link/verify')
            throw refuse(
              'TWO_FACTOR_REQUIRED',
              'Sign in with your password, because a second factor is required.',
            )
          const { email, name, email_verified: isVerified } = user
          const isSso = path.startsWith('/callback')
          if (!user.is_member && (!isSso || !(await rules.join({ id: userId, email, name, isVerified }))))
            throw refuse(
              'NO_WORKSPACE',
              'This account does not belong to a workspace. Ask for an invitation.',
            )
          const groups = isSso ? signIns.getStore()?.groups : undefined
          if (groups !== undefined) await rules.applyGroups(userId, groups)
          return undefined
        },
      },
    },
  }) satisfies BetterAuthConfig['databaseHooks']

const models = {
  user: {
    modelName: 'users',
    fields: {
      emailVerified: 'email_verified',
      image: 'profile_photo_url',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
    expiresIn: sessionSeconds,
    updateAge: renewalSeconds,
    freshAge: freshSessionSeconds,
  },
  account: {
    modelName: 'accounts',
    fields: {
      userId: 'user_id',
      providerId: 'provider_id',
      accountId: 'account_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  verification: {
    modelName: 'verifications',
    fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    // A copy of the table must not contain usable links.
    storeIdentifier: 'hashed',
  },
} satisfies BetterAuthConfig

const twoFactorModel = {
  modelName: 'two_factors',
  fields: {
    backupCodes: 'backup_codes',
    userId: 'user_id',
    failedVerificationCount: 'failed_verification_count',
    lockedUntil: 'locked_until',
  },
}

const passkeyModel = {
  modelName: 'passkeys',
  fields: {
    publicKey: 'public_key',
    userId: 'user_id',
    credentialID: 'credential_id',
    deviceType: 'device_type',
    backedUp: 'backed_up',
    createdAt: 'created_at',
  },
}

const noTokens = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
}
