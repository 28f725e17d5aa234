import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Clock } from '../lib/clock.ts'
import { notFound } from '../lib/problem.ts'

const dayMs = 24 * 60 * 60_000
/** RFC 9116 recommends less than a year. */
const validDays = 180

/** Serves the files with fixed names that crawlers and security researchers look for. */
export function siteFiles(
  { publicUrl, securityContacts }: Pick<Config, 'publicUrl' | 'securityContacts'>,
  clock: Pick<Clock, 'now'>,
) {
  const robots = robotsFile(new URL(publicUrl).pathname.replace(/\/$/, ''))
  return async (api: FastifyInstance): Promise<void> => {
    api.get('/robots.txt', async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(robots),
    )
    api.get('/.well-known/security.txt', async (_request, reply) => {
      if (securityContacts.length === 0) throw notFound()
      // The time changes once a day, so that caches and monitors see the same file.
      const today = Math.floor(clock.now().getTime() / dayMs) * dayMs
      const lines = [
        ...securityContacts.map((contact) => `Contact: ${contact}`),
        `Expires: ${new Date(today + validDays * dayMs).toISOString()}`,
        `Canonical: ${publicUrl}/.well-known/security.txt`,
      ]
      return reply
        .header('cache-control', 'public, max-age=3600')
        .type('text/plain; charset=utf-8')
        .send(`${lines.join('\n')}\n`)
    })
  }
}

/**
 * Returns a robots.txt that keeps search engines away from everything. Link previews in chats need share pages and their
 * images; the pages themselves say `noindex`, which crawlers see only if they may load them.
 */
const robotsFile = (basePath: string): string => `User-agent: *
Allow: ${basePath}/s/
Allow: ${basePath}/api/v1/public/
Allow: ${basePath}/favicon.
Allow: ${basePath}/apple-touch-icon.png
Disallow: ${basePath}/
`
