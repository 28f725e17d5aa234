import { readDomainName } from '../net/domain-name.ts'
import type { SettingReader } from './setting-reader.ts'

/** Reads the domain at whose subdomains portals are served. A DNS entry for all of them leads to the service. */
export function readPortalDomain(
  { setting, problems }: Pick<SettingReader, 'setting' | 'problems'>,
  publicUrl: string,
): string | undefined {
  const value = setting('QUAYSIDE_PORTAL_DOMAIN')
  if (value === undefined) return undefined
  const domain = readDomainName(value)
  if (domain === undefined)
    problems.push(`QUAYSIDE_PORTAL_DOMAIN must be a domain such as portals.example.com, not "${value}".`)
  else if (`.${new URL(publicUrl).hostname}`.endsWith(`.${domain}`))
    problems.push('QUAYSIDE_PORTAL_DOMAIN must not be or contain the host of QUAYSIDE_PUBLIC_URL.')
  return domain
}
