import { randomBytes, randomUUID } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** The resources that the attackers can address. All of them belong to the attackers' application. */
export type Target = {
  applicationId: string
  buildId: string
  releaseId: string
  pendingUploadId: string
  /** A signed URL for the pending upload, whose file is 5 bytes long. */
  putUrl: string
  shareLinkId: string
  /** The URL of a share link with a password. */
  protectedUrl: string
  /** The URL of a share link without a password. */
  openUrl: string
  groupId: string
}

/** A call to the service. `key` overrides the caller's key; null sends no key. */
export type HostileCall = { method: string; url: string; body?: string; key?: string | null }

type Calls = Record<string, (index: number) => HostileCall>

/**
 * Returns the expensive calls that require a key. They are also made with keys that lack the scope, which the service
 * must reject without expensive work.
 */
export function expensiveCalls(target: Target): Calls {
  const application = `/applications/${target.applicationId}`
  const build = `${application}/builds/${target.buildId}`
  const links = `${build}/share-links`
  const link = `/share-links/${target.shareLinkId}`
  const verification = json({ pending_upload_id: target.pendingUploadId, multipart_chunks: wrongParts })
  const icon = json({ content_type: 'image/png', data: png(2048).toString('base64') })
  const labeled = json({
    action: 'label',
    labels: ['bulk'],
    build_ids: [target.buildId, ...unknownIds.slice(1)],
  })
  const upload = json({
    application_id: target.applicationId,
    platform: 'linux',
    stream: 'default',
    source: 'cli-upload',
    version_component_1_major: 1,
    version_component_2_minor: 0,
    version_component_3_patch: 0,
    labels: Array.from({ length: 10 }, (_, i) => `label ${i}`),
    primary_file: { filename: 'x.bin', size_bytes: 5 * 1024 ** 3 },
  })
  return {
    'create password link': (index) => post(links, json({ password: `secret ${index}` })),
    'change password': (index) => ({
      method: 'PATCH',
      url: link,
      body: json({ password: `secret ${index}` }),
    }),
    'verify with a huge list': () => post('/upload/verify', verification),
    'store an attempt': (index) => put(target.putUrl, String(index % 90_000).padStart(5, '0'), null),
    'request upload': () => post('/upload/request', upload),
    'delete in bulk': () =>
      post(`${application}/builds/bulk`, json({ action: 'delete', build_ids: unknownIds })),
    'label in bulk': () => post(`${application}/builds/bulk`, labeled),
    'search builds': () => get(`${application}/builds?search=${'e'.repeat(50)}&per_page=100`),
    'list a deep page': () => get(`${application}/builds?page=1000000&per_page=100&sort_by=version`),
    'list deep audit log': () => get('/workspace/audit-log?page=100000&per_page=100'),
    'list outbox': () => get('/workspace/outbox?per_page=100'),
    'list downloads': () => get(`${build}/downloads?page=100000`),
    'preview retention': () => get(`${application}/streams/default/retention-preview`),
    'replace builds of release': () =>
      put(`${application}/releases/${target.releaseId}/builds`, json({ build_ids: unknownIds })),
    'upload icon': () => put(`${application}/icon`, icon),
    'upload logo': () => put('/workspace/logo', icon),
    'add many members': (index) =>
      post(`/distribution-groups/${target.groupId}/members`, json({ emails: emails(index % 20) })),
    'trust a publisher': (index) => post(`${application}/trusted-publishers`, publisher(index)),
    'send deep JSON': () => post(`${application}/releases`, `${'['.repeat(5_000)}${']'.repeat(5_000)}`),
    'get download links': () => get(`${build}/download`),
    'refused key': () => ({ ...get('/applications'), key: unknownKey() }),
  }
}

/** Returns the expensive calls that require no key. */
export function publicCalls(target: Target): Calls {
  const oversized = json({ token: 'x'.repeat(900_000) })
  return {
    'guess password': (index) => post(`${target.protectedUrl}/grants`, json({ password: `guess ${index}` })),
    'open share link': () => get(target.openUrl),
    'download through share link': () => get(`${target.openUrl}/download`),
    'create public downloads': () => post(`${target.openUrl}/downloads`, '{}'),
    'guess share link': () => get(target.openUrl.replace(/.{4}$/, 'xxxx')),
    'exchange a forged token': (index) => post('/auth/oidc/token', json({ token: forgedToken(index) })),
    'send an oversized token': () => post('/auth/oidc/token', oversized),
    'refused key': () => ({ ...get('/applications'), key: unknownKey() }),
    'accept an invitation': () => post(`/invitations/${randomUUID()}/accept`, json({ name: 'x' })),
    'read the API document': () => get('/openapi.json'),
  }
}

const json = (value: unknown): string => JSON.stringify(value)
const get = (url: string): HostileCall => ({ method: 'GET', url })
const post = (url: string, body: string): HostileCall => ({ method: 'POST', url, body })
const put = (url: string, body: string, key?: null): HostileCall => ({
  method: 'PUT',
  url,
  body,
  ...(key === null && { key }),
})

const wrongParts = Array.from({ length: 10_000 }, (_, i) => ({ PartNumber: i + 1, ETag: '0'.repeat(32) }))
const unknownIds = Array.from({ length: 100 }, (_, i) => `unknown${i}`)
const emails = (group: number) => Array.from({ length: 100 }, (_, i) => `person${group}-${i}@example.com`)
const unknownKey = (): string => `qsw_${randomBytes(20).toString('hex')}`

// Host names under .invalid never resolve (RFC 6761).
const issuer = 'https://issuer.invalid'
const claimNames = Array.from({ length: 15 }, (_, i) => `claim${i}`)
const claimsWith = (value: string) => Object.fromEntries(claimNames.map((name) => [name, value]))
const publisher = (index: number): string =>
  json({
    name: `Publisher ${index}`,
    issuer,
    audience: 'hostile',
    scopes: ['builds:create'],
    claims: claimsWith(`${'a*'.repeat(6)}${'b'.repeat(300)}`),
  })

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function forgedToken(index: number): string {
  const seconds = Math.floor(Date.now() / 1000)
  const claims = {
    iss: 'https://issuer.example.com',
    aud: 'quayside',
    sub: `${index}`,
    exp: seconds + 600,
    iat: seconds,
    pad: 'x'.repeat(5_000),
  }
  return `${encode({ alg: 'RS256', kid: 'first' })}.${encode(claims)}.${'A'.repeat(342)}`
}

/** Returns a valid square PNG. The service accepts up to 2048 pixels per side. */
function png(pixels: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(content))
    return Buffer.concat([length, content, checksum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(pixels, 0)
  header.writeUInt32BE(pixels, 4)
  // The image is grayscale with one bit per pixel.
  header.writeUInt8(1, 8)
  const rows = Buffer.alloc(pixels * (1 + pixels / 8))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
