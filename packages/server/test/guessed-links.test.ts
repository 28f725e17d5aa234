import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test } from 'node:test'
import { groupCalls, groupLink } from './distribution-groups.ts'
import { startService, type Service, type Tenant } from './harness.ts'
import { shareCalls } from './share-links.ts'

const guesses = Number(process.env['QUAYSIDE_LINK_GUESSES'] ?? 600)
const atOnce = 50
const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789-_ABCDEFGHIJKLMNOPQRSTUVWXYZ'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService({ environment: { QUAYSIDE_TRUSTED_PROXIES: '127.0.0.1,::1' } })
  tenant = await service.tenant()
})
after(() => service.close())

/** Opens a URL as a browser with an address of its own, so that the limits of an address do not reject it. */
async function open(url: string): Promise<{ status: number; text: string }> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { accept: 'text/html', 'x-forwarded-for': address },
  })
  return { status: response.status, text: await response.text() }
}

const anyCharacter = () => alphabet[randomInt(alphabet.length)] ?? ''

/** Returns a text of the same length that keeps the characters before a position. */
const randomAfter = (text: string, kept: number): string =>
  text.slice(0, kept) + Array.from(text.slice(kept), anyCharacter).join('')

function withOtherCharacter(text: string, at: number): string {
  const other = anyCharacter()
  return other === text[at] ? withOtherCharacter(text, at) : text.slice(0, at) + other + text.slice(at + 1)
}

/** Returns a guess of the last segment of a URL, by somebody who knows nothing, the ID, or nearly everything. */
function guessOf(secret: string, other: string, count: number): string {
  const kinds = [
    () => randomAfter(secret, 0),
    () => randomAfter(secret, 10),
    () => withOtherCharacter(secret, randomInt(secret.length)),
    () => withOtherCharacter(secret, secret.length - 1),
    () => secret.slice(0, -1 - (count % 3)),
    () => secret + anyCharacter(),
    () => secret.slice(0, 10) + other.slice(10),
    () => encodeURIComponent(`${secret}\0`),
  ] as const
  return (kinds[count % kinds.length] ?? kinds[0])()
}

test(`opens no link for ${guesses} guesses`, async () => {
  const shares = shareCalls(service, tenant)
  const groups = groupCalls(service, tenant)
  const [share, otherShare] = [await shares.createLink(), await shares.createLink()]
  const emails = ['ana@example.com', 'ben@example.com']
  const group = await groups.group(emails)
  await groups.share(group, await groups.release([share.build.id]))
  const [personal = '', otherPersonal = ''] = await Promise.all(
    emails.map((email) => groupLink(service, tenant, email)),
  )
  const links = [
    [share.url, otherShare.url],
    [personal, otherPersonal],
  ] as const
  for (const [url] of links) assert.equal((await open(url)).status, 200, url)
  for (let sent = 0; sent < guesses; sent += atOnce)
    await Promise.all(
      Array.from({ length: atOnce }, async (_, index) => {
        const [url, otherUrl] = links[index % links.length] ?? links[0]
        const [base, secret] = [url.slice(0, url.lastIndexOf('/') + 1), url.slice(url.lastIndexOf('/') + 1)]
        const other = otherUrl.slice(otherUrl.lastIndexOf('/') + 1)
        const guess = guessOf(secret, other, Math.floor((sent + index) / links.length))
        const { status, text } = await open(base + guess)
        assert.equal(status, 404, `${guess} for ${secret}: ${text}`)
        assert.doesNotMatch(text, /Download/)
      }),
    )
  for (const [url] of links) assert.equal((await open(url)).status, 200, url)
})
