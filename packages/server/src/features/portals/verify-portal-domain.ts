import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Problem } from '../../lib/problem.ts'
import { changePortal } from './change-portal.ts'
import { requirePortalOfPath } from './portal-of-path.ts'
import { updatePortalDomainVerified } from './portal.db.ts'
import { domainRecord, Portal, PortalId } from './portal.ts'

export const verifyPortalDomain = endpoint({
  method: 'POST',
  path: '/portals/:portal_id/custom-domain/verify',
  scope: { workspace: 'portals:write' },
  summary: 'Verify the custom domain of a portal',
  description:
    'Looks up the TXT record of `custom_domain_verification`. 409 says what was found instead, 503 when the DNS gives no answer: the domain can be verified again at any time.',
  params: Type.Object({ portal_id: PortalId }),
  returns: one(Portal),
  visible: requirePortalOfPath,
  async handle({ portal: { id, custom_domain: domain }, ...call }) {
    if (domain === null)
      throw new Problem('conflict', 'portal.no_custom_domain', 'Set custom_domain of the portal first.')
    const { name, value } = domainRecord(call, id, domain)
    const found = await call.txtRecords(name)
    if (!found.some((text) => text.trim() === value)) throw notVerified(name, value, found)
    const data = await inTransaction(call.db, (tx) =>
      changePortal(tx, call, { id, action: 'portal.custom_domain_verified' }, async (before) => {
        if (before.custom_domain !== domain) throw changedMeanwhile()
        await updatePortalDomainVerified(tx, id)
      }),
    )
    return { message: 'Custom domain verified.', data }
  },
})

function notVerified(name: string, value: string, found: string[]): Problem {
  const instead =
    found.length === 0
      ? 'there is none'
      : `there is ${found.map((text) => `"${shortened(text)}"`).join(', ')}`
  return new Problem(
    'conflict',
    'portal.custom_domain_unverified',
    `The TXT record ${name} should be "${value}", but ${instead}. A new record may take a while to be seen.`,
  )
}

const mostShown = 100
const shortened = (text: string): string => (text.length > mostShown ? `${text.slice(0, mostShown)}…` : text)

const changedMeanwhile = (): Problem =>
  new Problem(
    'conflict',
    'portal.custom_domain_changed',
    'The custom domain was changed. Verify the new one.',
  )
