import type { BrowserContext } from 'playwright-core'

/** Signs the owner of the demo workspace in to its console. */
export async function signIn(
  context: BrowserContext,
  { url, email, password }: { url: string; email: string; password: string },
): Promise<void> {
  const response = await context.request.post(`${url}/api/auth/sign-in/email`, {
    data: { email, password },
    headers: { origin: url },
  })
  if (!response.ok()) throw new Error(`Signing in failed: ${response.status()} ${await response.text()}`)
}
