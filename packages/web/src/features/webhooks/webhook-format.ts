import type { Webhook } from '@quayside/sdk'

const hosts: [RegExp, Webhook['format']][] = [
  [/^hooks\.slack(-gov)?\.com$/, 'slack'],
  [/(^|\.)discord(app)?\.com$/, 'discord'],
  [/\.logic\.azure\.(com|us)$|\.powerplatform\.com$/, 'teams'],
]

/** Returns the format to suggest for a URL. The person can select another one. */
export function suggestedFormat(url: string): Webhook['format'] {
  const host = URL.parse(url.trim())?.hostname ?? ''
  return hosts.find(([pattern]) => pattern.test(host))?.[1] ?? 'json'
}

/** Returns whether the receiver is a chat service, which does not verify signatures. */
export const isChatFormat = (format: Webhook['format']): boolean => format !== 'json' && format !== 'form'
