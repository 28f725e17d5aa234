import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { loadModule } from './load-module.ts'
import { callSignIn } from './sign-in.ts'

const loadWebAuthn = () => loadModule(() => import('@simplewebauthn/browser'), false)

/** Whether the browser can use passkeys. It offers them only over HTTPS and on localhost. */
export const hasPasskeys = typeof PublicKeyCredential === 'function'

/** Returns whether the browser can suggest passkeys in the field for the email address. */
export async function canSuggestPasskeys(): Promise<boolean> {
  if (!hasPasskeys) return false
  return (await loadWebAuthn()).browserSupportsWebAuthnAutofill()
}

/**
 * Signs in with a passkey. If `isSuggested` is set, this waits until the person selects one of the passkeys that the
 * browser suggests in a field. A later call cancels the suggestions.
 */
export async function signInWithPasskey({ isSuggested = false } = {}): Promise<void> {
  const { startAuthentication } = await loadWebAuthn()
  const optionsJSON = await callSignIn<PublicKeyCredentialRequestOptionsJSON>(
    '/passkey/generate-authenticate-options',
  )
  const response = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: isSuggested,
    verifyBrowserAutofillInput: false,
  })
  await callSignIn('/passkey/verify-authentication', { response })
}

/** Stops the suggestions of passkeys in a field. */
export async function cancelPasskeySuggestions(): Promise<void> {
  const { WebAuthnAbortService } = await loadWebAuthn()
  WebAuthnAbortService.cancelCeremony()
}

/** Creates a passkey on this device or a security key, and adds it to the account. */
export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await loadWebAuthn()
  const optionsJSON = await callSignIn<PublicKeyCredentialCreationOptionsJSON>(
    '/passkey/generate-register-options',
  )
  const response = await startRegistration({ optionsJSON })
  await callSignIn('/passkey/verify-registration', { response, name })
}

/** Returns whether the person closed the dialog of the browser, or it timed out. */
export const isPasskeyCanceled = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')
