import type { Service, Tenant } from '../../../test/harness.ts'
import { startIssuer, type Issuer } from '../../../test/oidc-issuer.ts'

/** The real time, moved as a test wants it. */
export const movedClock = {
  byMs: 0,
  now: () => new Date(Date.now() + movedClock.byMs),
  jumpMs: () => 0,
}

export const rulesOf = ({ applicationId }: Tenant) => `/applications/${applicationId}/trusted-publishers`

/** An application that trusts main of one repository at an issuer of its own. */
export async function trusting(service: Service, { rule = {} }: { rule?: object } = {}) {
  const issuer = await startIssuer()
  const tenant = await service.tenant()
  const claims = { repository: 'acme/app', ref: 'refs/heads/main' }
  const trust = async (fields: object = {}, of = tenant): Promise<string> => {
    const body = { name: 'Main', issuer: issuer.url, claims, scopes: ['builds:create'], ...fields }
    const answer = await service.call('POST', rulesOf(of), { key: of.workspaceKey, body })
    if (answer.status !== 201) throw new Error(answer.text)
    return (answer.body as { data: { id: string } }).data.id
  }
  const id = await trust(rule)
  const token = (fields: Record<string, unknown> = {}, how: Parameters<Issuer['token']>[1] = {}) =>
    issuer.token(
      { sub: 'repo:acme/app:ref:refs/heads/main', ...claims, aud: service.url, ...fields },
      { now: movedClock.now().getTime(), ...how },
    )
  const ask = (body: object) => service.call('POST', '/auth/oidc/token', { key: null, body })
  const exchange = (text: unknown, application_id: unknown = tenant.applicationId) =>
    ask({ token: text, application_id })
  const exchangeAnywhere = (text: unknown) => ask({ token: text })
  return { issuer, tenant, id, trust, token, exchange, exchangeAnywhere }
}
