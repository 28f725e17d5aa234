import { StepFailure } from '../custom/store-report.ts'

/** What to do about a rejected request if the store requires an ACL, if it supports none, and otherwise. */
export type RejectionAdvice = { ownerAcl: string; noAcl: string; other: string }

const maxBodyBytes = 64 * 1024

/** Returns the response to a signed request, or throws `StepFailure` with what the store reported. */
export async function requireAccepted(
  method: string,
  response: Response,
  advice: RejectionAdvice,
): Promise<Response> {
  if (response.ok) return response
  const text = await readStart(response)
  const code = (/<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1] ?? '').trim()
  throw new StepFailure(
    `The store rejected a signed ${method} with status ${response.status}${code === '' ? '' : ` (${code})`}.`,
    code === 'AccessControlListNotSupported'
      ? advice.ownerAcl
      : code === 'NotImplemented'
        ? advice.noAcl
        : advice.other,
  )
}

async function readStart({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    sizeBytes += chunk.length
    if (sizeBytes > maxBodyBytes) break
  }
  return Buffer.concat(chunks).toString()
}
