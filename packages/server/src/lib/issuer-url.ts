/**
 * True for URLs that an OIDC issuer may have (OpenID Connect Discovery 1.0 section 3: https, no query, no fragment).
 * http is for issuers on this very machine.
 */
export function isIssuerUrl(text: string): boolean {
  if (/[\\?#@]/.test(text) || !/^https?:\/\/[!-~]+$/.test(text) || !URL.canParse(text)) return false
  return isConfidential(new URL(text))
}

/** https, or http that does not leave the machine. */
export const isConfidential = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))

/** An IP address that stands in the URL itself; undefined where there is a name. */
export function literalAddress(text: string): string | undefined {
  const { hostname } = new URL(text)
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined
}
