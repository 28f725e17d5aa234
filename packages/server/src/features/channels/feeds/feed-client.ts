import type { IncomingHttpHeaders } from 'node:http'
import type { RolloutClient } from '../rollouts/rollout-rules.ts'
import type { PublicationKey } from './publication.ts'

const maxIdLength = 200

/** Returns what a client tells about itself: an ID that it has chosen, and the cohorts of its testers. */
export function readClient(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  key: PublicationKey | undefined,
): RolloutClient {
  const header = (name: string) => headers[name]?.toString()
  const id = query.get('client') ?? header('x-quayside-client') ?? header('x-user-staging-id')
  const named = query.get('cohort') ?? header('x-quayside-cohort')
  return {
    id: id === undefined || id === '' ? undefined : id.slice(0, maxIdLength).toLowerCase(),
    cohorts: new Set(
      [named, key?.cohort].filter((each) => typeof each === 'string' && each !== ''),
    ) as ReadonlySet<string>,
  }
}

/** Returns the read key in the `Authorization` header: a Basic password, a bearer token, or a token as Gitea reads it. */
export function readAuthorization({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  const [, scheme = '', value = ''] = /^(Basic|Bearer|token) +(\S+) *$/i.exec(authorization) ?? []
  if (/^(bearer|token)$/i.test(scheme)) return value
  if (scheme === '') return undefined
  const text = Buffer.from(value, 'base64').toString('utf8')
  const [user = '', ...password] = text.split(':')
  // Some clients accept only a user name in a URL.
  return password.join(':') || user
}
