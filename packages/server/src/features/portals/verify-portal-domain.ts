import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { problem, type Problem } from '../../lib/problem.ts'
import { dnsUnavailable } from '../../net/txt-records.ts'
import { changePortal } from './change-portal.ts'
import { markPortalDomainVerified, requirePortalOfPath } from './portal.db.ts'
import { domainRecord, domainTaken, isDomainProof, Portal, PortalId } from './portal.ts'

const noCustomDomain = problem(
  'conflict',
  'portal.no_custom_domain',
  'This portal has no custom domain. Set `custom_domain` first.',
)

const recordDiffers = problem(
  'conflict',
  'portal.custom_domain_unverified',
  'The TXT record {name} should be "{value}", but {actual}. Correct the record, then verify again. DNS changes can take a while to propagate.',
)

const domainChanged = problem(
  'conflict',
  'portal.custom_domain_changed',
  'The custom domain was changed during verification. Verify the new domain.',
)

export const verifyPortalDomain = endpoint({
  method: 'POST',
  path: '/portals/:portal_id/custom-domain/verify',
  scope: { workspace: 'portals:write' },
  summary: 'Verify a portal domain',
  description:
    'Looks up the TXT record in `custom_domain_verification`. Returns 409 if another portal has already verified the domain, or if the record is missing; the message then lists the records found. Returns 503 if the DNS server does not respond. The call can be repeated at any time.',
  params: Type.Object({ portal_id: PortalId }),
  refuses: [noCustomDomain, recordDiffers, domainTaken, domainChanged, dnsUnavailable],
  returns: one(Portal),
  load: requirePortalOfPath,
  async handle({ portal: { id, custom_domain: domain }, ...call }) {
    if (domain === null) throw noCustomDomain()
    const { name, value } = domainRecord(call, id, domain)
    const found = await call.txtRecords(name)
    if (!found.some((text) => isDomainProof(call, text.trim(), id, domain)))
      throw notVerified(name, value, found)
    const data = await conflictsAs({ portals_custom_domain: domainTaken }, () =>
      inTransaction(call.db, (tx) =>
        changePortal(tx, call, { id, action: 'portal.custom_domain_verified' }, async (before) => {
          if (before.custom_domain !== domain) throw domainChanged()
          await markPortalDomainVerified(tx, id)
        }),
      ),
    )
    return { message: 'Custom domain verified.', data }
  },
})

function notVerified(name: string, value: string, found: string[]): Problem {
  const actual =
    found.length === 0
      ? 'it does not exist'
      : `it is ${found.map((text) => `"${truncate(text)}"`).join(', ')}`
  return recordDiffers({ name, value, actual })
}

const maxShownLength = 100
const truncate = (text: string): string =>
  text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
