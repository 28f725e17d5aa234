import { domainToASCII } from 'node:url'

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * A host name of the public DNS in the form that is asked for: lower case, IDNA as `xn--`, no dot behind. Undefined
 * for what is none: a single label, an address, a port, a path.
 */
export function readDomainName(text: string): string | undefined {
  const given = text.trim().replace(/\.$/, '')
  // what a URL parser would read otherwise than it is written
  if (/[\s/\\?#@:%[\]]/.test(given)) return undefined
  const name = domainToASCII(given)
  const labels = name.split('.')
  const [top = ''] = labels.slice(-1)
  const isName = labels.length > 1 && labels.every((each) => label.test(each)) && /[a-z]/.test(top)
  return isName && name.length <= 200 ? name : undefined
}
