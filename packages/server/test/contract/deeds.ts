import assert from 'node:assert/strict'
import type { Scope } from '../../src/http/scopes.ts'
import type { Service, Tenant } from '../harness.ts'

type Deed = readonly [method: string, path: string, body?: object]

/** A key of those scopes alone may do these, and each of the others is 403 that names the scope it takes. */
export async function allows(
  service: Service,
  tenant: Tenant,
  scopes: Scope[],
  may: Deed[],
  mayNot: (readonly [...Deed, Scope])[],
  kind: 'workspace' | 'application',
) {
  const key = await service.key(
    tenant.workspaceId,
    kind === 'workspace' ? null : tenant.applicationId,
    scopes,
  )
  for (const [method, path, body] of may) {
    const { status, text } = await service.call(method, path, { key, ...(body && { body }) })
    assert.ok(status < 300, `${scopes.join()} ${method} ${path}: ${status} ${text}`)
  }
  for (const [method, path, body, scope] of mayNot) {
    const { status, body: said } = await service.call(method, path, { key, ...(body && { body }) })
    assert.deepEqual(
      [status, said.message],
      [403, `This action requires '${scope}' scope.`],
      `${method} ${path}`,
    )
  }
}
