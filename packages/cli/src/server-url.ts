import { Failure } from './failure.ts'

/**
 * Converts the server that a user enters to its base URL. The scheme defaults to http for localhost and for private
 * names and addresses with a port. Otherwise, it defaults to https.
 */
export function parseServerUrl(text: string): string {
  const url = parseHttpUrl(text.includes('://') ? text : `http://${text}`)
  if (url === undefined) {
    throw new Failure('usage', `"${text}" is not a server URL. Use a URL such as https://builds.example.com.`)
  }
  // In `https://name:443`, the port is the default of the scheme, so the URL is parsed with the final scheme.
  const final = text.includes('://') || usesHttp(url) ? url : new URL(`https://${text}`)
  // The URL may also be the API base URL or a page below it, or end with a slash.
  return final.origin + final.pathname.replace(/\/api\/v1(\/.*)?$/, '').replace(/\/+$/, '')
}

function parseHttpUrl(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return /^https?:$/.test(url.protocol) && url.username === '' ? url : undefined
}

/** Returns whether a host is this computer or in a local network, such as `localhost`, `10.0.0.1` or `nas`. */
export const isPrivateHost = (hostname: string): boolean =>
  isLoopback(hostname) || isPrivate(hostname) || /^0\.|^\[::/.test(hostname)

const isLoopback = (hostname: string): boolean => /(^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname)

function usesHttp({ hostname, port }: URL): boolean {
  if (isLoopback(hostname)) return port !== '443'
  return port !== '' && port !== '443' && isPrivate(hostname)
}

/** Returns whether a host is in a local network: a name without a domain, or an address reserved for private use. */
function isPrivate(hostname: string): boolean {
  if (hostname.startsWith('[')) return /^\[f[cde]/.test(hostname)
  return (
    !hostname.includes('.') ||
    /\.(local|internal|lan|home\.arpa)$/.test(hostname) ||
    /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/.test(hostname)
  )
}
