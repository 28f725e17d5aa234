import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import { readDomainName } from '../../net/domain-name.ts'
import { findPortalAtHost } from './pages/portal-host.db.ts'

const unknownDomain = problem(
  'not_found',
  'portal.domain_unknown',
  'No portal is served at this host name. Verify the custom domain of a portal first.',
)

export const checkPortalDomain = endpoint({
  method: 'GET',
  path: '/public/portal-domains',
  scope: 'public',
  summary: 'Check a portal domain',
  description:
    'Returns 200 if a portal is served at the host name, so that a reverse proxy can obtain a certificate for it, and 404 otherwise. Caddy calls it with `on_demand_tls { ask … }`.',
  query: Type.Object({
    domain: Type.String({ maxLength: 300, description: 'Host name, for example `downloads.example.com`.' }),
  }),
  refuses: [unknownDomain],
  returns: Message,
  async handle({ db, config, query }) {
    const domain = readDomainName(query.domain)
    if (domain === undefined || (await findPortalAtHost(db, domain, config.portalDomain)) === undefined)
      throw unknownDomain()
    return { message: 'A portal is served at this host name.' }
  },
})
