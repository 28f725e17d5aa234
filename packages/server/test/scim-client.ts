import type { Service, Tenant } from './harness.ts'

/** Creates the SCIM token of the workspace and returns a function that sends requests with it. */
export async function connectScim(service: Service, { workspaceKey }: Pick<Tenant, 'workspaceKey'>) {
  const created = await service.call('POST', '/workspace/scim-token', { key: workspaceKey })
  if (created.status !== 201) throw new Error(created.text)
  const { token, base_url: baseUrl } = created.body.data as { token: string; base_url: string }
  const send = (method: string, path: string, body?: unknown) =>
    service.call(method, `${baseUrl}${path}`, {
      key: token,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/scim+json' } }),
    })
  /** Sends a request that must succeed, and returns the body. */
  async function succeed(method: string, path: string, body?: unknown) {
    const response = await send(method, path, body)
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
    return response.body
  }
  const patch = (path: string, ...operations: object[]) =>
    succeed('PATCH', path, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: operations,
    })
  return { token, baseUrl, send, succeed, patch }
}
