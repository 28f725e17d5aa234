import { randomBytes } from 'node:crypto'
import type { SecretBox } from '../../crypto/secret-box.ts'

/** How the server received a request of `quayside-server admin doctor`. */
export type Diagnosis = {
  /** Proves that the server has the same master secret as the caller. */
  proof: string
  host: string | null
  client_address: string | null
  forwarded_for: string | null
  forwarded_proto: string | null
}

/** The header of a request to /readyz that asks for a diagnosis. Its value is a nonce with a signature. */
export const diagnosisHeader = 'quayside-doctor'

const question = 'doctor'
const answer = 'doctor-proof'

/** Returns the header value for a new nonce, and the proof that the server must return. */
export function askForDiagnosis(box: Pick<SecretBox, 'token'>): { header: string; proof: string } {
  const nonce = randomBytes(16).toString('base64url')
  return { header: `${nonce}.${box.token(question, nonce)}`, proof: box.token(answer, nonce) }
}

/** Returns the proof for a valid header value. Without a valid signature, the server reveals nothing. */
export function proofOf(box: Pick<SecretBox, 'token' | 'isToken'>, header: string): string | undefined {
  const [nonce = '', token = ''] = header.split('.')
  return box.isToken(token, question, nonce) ? box.token(answer, nonce) : undefined
}
