import type { Service, Tenant } from '../../../test/harness.ts'
import { startIssuer, type Issuer } from '../../../test/oidc-issuer.ts'
import { repeatWhileBusy } from '../../../test/repeat-while-busy.ts'

/** A clock that returns the real time plus an offset set by a test; `setBackMs` changes the wall clock only. */
export const clock = {
  offsetMs: 0,
  setBackMs: 0,
  now: () => new Date(Date.now() + clock.offsetMs - clock.setBackMs),
  monotonicMs: () => performance.now() + clock.offsetMs,
  jumpMs: () => 0,
}

export const publishersPath = ({ applicationId }: Tenant) =>
  `/applications/${applicationId}/trusted-publishers`

/** Creates an issuer and an application that trusts its tokens for the main branch of one repository. */
export async function createPublisher(service: Service, { rule = {} }: { rule?: object } = {}) {
  const issuer = await startIssuer()
  const tenant = await service.tenant()
  const claims = { repository: 'acme/app', ref: 'refs/heads/main' }
  const trust = async (fields: object = {}, owner = tenant): Promise<string> => {
    const body = { name: 'Main', issuer: issuer.url, claims, scopes: ['builds:create'], ...fields }
    const response = await service.call('POST', publishersPath(owner), { key: owner.workspaceKey, body })
    if (response.status !== 201) throw new Error(response.text)
    return (response.body as { data: { id: string } }).data.id
  }
  const id = await trust(rule)
  const token = (fields: Record<string, unknown> = {}, options: Parameters<Issuer['token']>[1] = {}) =>
    issuer.token(
      { sub: 'repo:acme/app:ref:refs/heads/main', ...claims, aud: service.url, ...fields },
      { now: clock.now().getTime(), ...options },
    )
  const send = (body: object) =>
    repeatWhileBusy(() => service.call('POST', '/auth/oidc/token', { key: null, body }))
  const exchange = (text: unknown, application_id: unknown = tenant.applicationId) =>
    send({ token: text, application_id })
  const exchangeWithoutApplication = (text: unknown) => send({ token: text })
  return { issuer, tenant, id, trust, token, exchange, exchangeWithoutApplication }
}
