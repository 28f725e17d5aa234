/**
 * Returns whether the URL is valid for an OIDC issuer (OpenID Connect Discovery 1.0, section 3): https without a query
 * or fragment. http is allowed only for an issuer on the local machine.
 */
export function isIssuerUrl(text: string): boolean {
  if (/[\\?#@]/.test(text) || !/^https?:\/\/[!-~]+$/.test(text) || !URL.canParse(text)) return false
  return isConfidential(new URL(text))
}

/** Returns whether requests to the URL are encrypted or stay on the local machine. */
export const isConfidential = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))

/** Returns the host of the URL if it is an IP address, or undefined if it is a host name. */
export function literalAddress(text: string): string | undefined {
  const { hostname } = new URL(text)
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined
}
