import type { IncomingMessage } from 'node:http'
import type { SecretBox } from '../crypto/secret-box.ts'
import { createClientAddress } from './wire/client-address.ts'
import { diagnosisHeader, proofOf, type Diagnosis } from './wire/diagnosis.ts'

/** Creates the function that describes how a request of `quayside-server admin doctor` arrived. */
export function createDiagnose(
  box: SecretBox,
  trustedProxies: readonly string[],
): (request: IncomingMessage) => Diagnosis | undefined {
  const clientOf = createClientAddress(trustedProxies)
  return (request) => {
    const { [diagnosisHeader]: header, host, 'x-forwarded-for': forwardedFor, ...headers } = request.headers
    if (typeof header !== 'string') return undefined
    const proof = proofOf(box, header)
    if (proof === undefined) return undefined
    return {
      proof,
      host: host ?? null,
      client_address: clientOf(request).address,
      forwarded_for: forwardedFor?.toString() ?? null,
      forwarded_proto: headers['x-forwarded-proto']?.toString() ?? null,
    }
  }
}
