import { domainToASCII } from 'node:url'

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Returns a public DNS name in the form used for lookups: lowercase, with internationalized labels in `xn--` form and
 * without a trailing dot. Returns undefined for anything else, such as a single label, an IP address, a port or a path.
 */
export function readDomainName(text: string): string | undefined {
  const host = text.trim().replace(/\.$/, '')
  // domainToASCII would interpret these characters as parts of a URL.
  if (/[\s/\\?#@:%[\]]/.test(host)) return undefined
  const name = domainToASCII(host)
  const labels = name.split('.')
  const [top = ''] = labels.slice(-1)
  const isName = labels.length > 1 && labels.every((each) => label.test(each)) && /[a-z]/.test(top)
  return isName && name.length <= 200 ? name : undefined
}
