import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { Agent, request } from 'undici'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { PathId } from '../../http/endpoint/fields.ts'
import { page } from '../../http/pages/page.ts'
import { failure, ok, reasonOf, type Finding } from '../../lib/finding.ts'
import { installUrl } from './install-grant.ts'
import { writePlist } from './plist.ts'

const timeoutMs = 10_000
const contentType = 'text/xml; charset=utf-8'
const purpose = 'manifest check v1'

/** Returns what the server responds to a test with a nonce: a property list that no other server can create. */
const testManifest = (box: Pick<SecretBox, 'token'>, nonce: string): Buffer =>
  writePlist({ proof: box.token(purpose, nonce) })

/** Serves a property list at the address of manifests, which shows that devices can reach them. */
export const openTestManifest = page({
  method: 'GET',
  path: '/public/test-installs/:install_test/manifest.plist',
  isForEveryClient: true,
  params: Type.Object({ install_test: PathId('Letter of the channel with a nonce.') }),
  load: async () => ({}),
  handle: async ({ secretBox, params }) => ({
    file: { contentType, content: testManifest(secretBox, params.install_test) },
  }),
})

const connectionAdvice = 'Check the DNS name, the firewall and the reverse proxy.'
const proxyAdvice =
  'Let the reverse proxy pass /i/ and everything below it to the server, without a sign-in, a redirect or another content type.'

/**
 * Requests a manifest at the public URL as a device does. The certificate does not matter here, because `checkTls`
 * examines it.
 */
export async function checkManifestAddress(
  { publicUrl }: { publicUrl: string },
  box: Pick<SecretBox, 'token'>,
): Promise<Finding> {
  const nonce = `t.${randomBytes(16).toString('base64url')}`
  const agent = new Agent({ connect: { rejectUnauthorized: false } })
  const problem = await findProblem(installUrl(publicUrl, nonce, 'manifest.plist'), {
    agent,
    expected: testManifest(box, nonce),
  }).finally(() => agent.destroy())
  if (problem === undefined) return ok('iOS manifest', 'devices can request manifests at the public URL')
  const { text, advice } = problem
  return failure('iOS manifest', `the manifest address ${publicUrl}/i/… ${text}`, advice)
}

type ManifestProblem = { text: string; advice: string }
const wrongResponse = (text: string): ManifestProblem => ({ text, advice: proxyAdvice })

async function findProblem(
  url: string,
  { agent, expected }: { agent: Agent; expected: Buffer },
): Promise<ManifestProblem | undefined> {
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const content = Buffer.alloc(expected.length + 1)
    let length = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.copy(content, length)
      // Another server may send any amount.
      if (length > expected.length) break
    }
    if (statusCode !== 200) return wrongResponse(`responds with status ${statusCode}`)
    if (!/^(text|application)\/xml\b/.test(String(headers['content-type'])))
      return wrongResponse(`has the content type ${String(headers['content-type'] ?? 'none').slice(0, 100)}`)
    return content.subarray(0, length).equals(expected) ? undefined : wrongResponse('leads to another server')
  } catch (error) {
    return { text: `does not respond: ${reasonOf(error)}`, advice: connectionAdvice }
  }
}
