import { createClient } from '@quayside/sdk'
import type { Seeding } from '../seeding.ts'
import type { SeededBuild } from './seed-builds.ts'

/** A download through a share link or a personal link of a distribution group. */
export type Visit = { at: Date; path: string; build: SeededBuild; password?: string; address?: string }

/** The user agents of phones by platform. */
export const phones: Readonly<Record<string, string>> = {
  android:
    'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  ios: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
}
const computers = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'curl/8.16.0',
]

/** Returns the path of a public link on the service, which may have another public URL. */
export const readLink = (url: string, link: string): string => `${url}${new URL(link).pathname}`

/**
 * Requests the downloads in order of time, one at a time, so that their rows can be matched to their times. Each request
 * names the address of the visitor as a trusted proxy does.
 */
export async function makeVisits({ journal, random }: Seeding, visits: readonly Visit[]): Promise<void> {
  for (const { at, path, build, password, address } of visits.toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  )) {
    const headers = {
      'user-agent': phones[build.platform] ?? random.pick(computers),
      // RFC 5737 reserves this range for documentation.
      'x-forwarded-for': address ?? `203.0.113.${random.integer(2, 250)}`,
    }
    const query = new URLSearchParams({ build_id: build.id })
    if (password !== undefined) query.set('grant', await requestGrant(path, password))
    const response = await fetch(`${path}/download?${query.toString()}`, { headers, redirect: 'manual' })
    if (response.status !== 302) throw new Error(`${response.status}: ${await response.text()}`)
    await response.body?.cancel()
    journal.recordDownload(at)
  }
}

async function requestGrant(path: string, password: string): Promise<string> {
  const [share_token = '', share_link_id = ''] = path.split('/').toReversed()
  const client = createClient({ baseUrl: new URL(path).origin })
  const { data } = await client.createShareGrant({ share_link_id, share_token, body: { password } })
  return data.grant
}
