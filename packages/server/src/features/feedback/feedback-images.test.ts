import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { sendForm, type SentForm } from '../../../test/feedback.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { shareCalls } from '../../../test/share-links.ts'
import { images } from '../../inspection/images/image.fixture.ts'
import { readImage } from '../../inspection/images/image.ts'

let service: Service
let tenant: Tenant
let link: { url: string; build: { id: string } }

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  link = await shareCalls(service, tenant).createLink({ feedback_enabled: true })
})
after(() => service.close())

/** Sends a form as the first of a client. */
function send(url: string, form: SentForm) {
  service.deps.publicFeedback.byNetwork.forget('127.0.0.1')
  return sendForm(url, form)
}

const bytesOf = ({ base64 }: { base64: string }) => Buffer.from(base64, 'base64')

function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** Returns a PNG image that declares a size, with these bytes as its pixels. */
function pngOf(width: number, height: number, pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks])
}

const location = 'GPS 48.8584 N 2.2945 E'
/** Returns a JPEG image with an APP1 segment that contains Exif data, after its start. */
function withExif(jpeg: Buffer, orientation: number): Buffer {
  const entry = Buffer.from([0x01, 0x12, 0x00, 0x03, 0, 0, 0, 1, 0, orientation, 0, 0])
  const tiff = Buffer.concat([Buffer.from('4d4d002a000000080001', 'hex'), entry, Buffer.alloc(4)])
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from(location)])
  const marker = Buffer.from([0xff, 0xe1, 0, 0])
  marker.writeUInt16BE(exif.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), marker, exif, jpeg.subarray(2)])
}

const script = Buffer.from('<script>alert(1)</script>')
const call = (method: string, path: string, key: string | null = tenant.workspaceKey) =>
  service.call(method, `/applications/${tenant.applicationId}${path}`, { key })

async function newest() {
  const { body } = await call('GET', '/feedback?sort=desc&per_page=1')
  return body.data[0] as {
    id: string
    screenshots: { id: string; url: string; width: number; height: number }[]
  }
}

async function served(url: string, headers: Record<string, string>) {
  const response = await fetch(url, { headers })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}
const authorized = () => ({ authorization: `Bearer ${tenant.workspaceKey}` })

test('encodes screenshots of every type again and serves them to members only', async () => {
  const files = [images.png, images.extendedWebp, images.progressiveJpeg].map(bytesOf)
  const sent = await send(link.url, { fields: { text: 'with images' }, files })
  assert.equal(sent.status, 303, sent.text)
  const { id, screenshots } = await newest()
  assert.equal(screenshots.length, 3)
  for (const { url, width, height } of screenshots) {
    assert.deepEqual([width, height], [40, 24])
    const { response, bytes } = await served(url, authorized())
    assert.equal(response.status, 200)
    assert.equal(readImage(bytes)?.type, 'image/jpeg')
    assert.ok(files.every((file) => !file.equals(bytes)))
    const { headers } = response
    assert.equal(headers.get('content-type'), 'image/jpeg')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /sandbox/)
    assert.equal(headers.get('cache-control'), 'private, no-store')
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.equal((await served(url, {})).response.status, 401)
    const other = await service.tenant()
    const foreign = { authorization: `Bearer ${other.workspaceKey}` }
    assert.equal((await served(url, foreign)).response.status, 404)
  }
  const { object_key } = await service.deps.db
    .selectFrom('feedback_screenshots')
    .select('object_key')
    .where('feedback_id', '=', id)
    .limit(1)
    .executeTakeFirstOrThrow()
  assert.equal((await service.call('GET', `/public/icons/${object_key}`, { key: null })).status, 404)
})

test('removes metadata and appended data, and applies the orientation', async () => {
  const photo = Buffer.concat([withExif(bytesOf(images.jpeg), 6), script])
  const sent = await send(link.url, { fields: { text: 'a photo' }, files: [photo] })
  assert.equal(sent.status, 303, sent.text)
  const { screenshots } = await newest()
  const { bytes } = await served(screenshots[0]!.url, authorized())
  assert.ok(!bytes.includes(location) && !bytes.includes('Exif') && !bytes.includes(script))
  assert.deepEqual([screenshots[0]!.width, screenshots[0]!.height], [24, 40])
})

const png = bytesOf(images.png)
for (const [name, file] of Object.entries({
  'an SVG image': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  'a web page': Buffer.concat([Buffer.from('<!doctype html>'), script]),
  'a GIF image': Buffer.from('GIF89a\x01\0\x01\0\x80\0\0'),
  'a PNG image that is also a web page': Buffer.concat([png, script]),
  'a WebP image that is also an archive': Buffer.concat([
    bytesOf(images.lossyWebp),
    Buffer.from('PK\x03\x04'),
  ]),
  'a truncated PNG image': png.subarray(0, -20),
  'a truncated WebP image': bytesOf(images.losslessWebp).subarray(0, 40),
  'an image with too many pixels': pngOf(30_000, 30_000, deflateSync(Buffer.alloc(1000))),
  'an image with fewer pixels than it declares': pngOf(2_000, 2_000, deflateSync(Buffer.alloc(1000))),
  'an image with more pixels than it declares': pngOf(4, 4, deflateSync(Buffer.alloc(64 * 1024 * 1024))),
}))
  test(`does not store ${name} as it was sent`, async () => {
    const before = await newest()
    const fields = { text: `not lost: ${name}` }
    const sent = await send(link.url, { fields, files: [file] })
    // A decoder may ignore surplus pixels. What is stored is then its own encoding.
    if (sent.status === 303) {
      const { bytes } = await served((await newest()).screenshots[0]!.url, authorized())
      assert.equal(readImage(bytes)?.type, 'image/jpeg')
      assert.ok(bytes.length < 100_000 && !bytes.includes('<script'))
      return
    }
    assert.equal(sent.status, 422, sent.text)
    assert.match(sent.text, /id="screenshots-error"/)
    assert.ok(sent.text.includes(fields.text))
    assert.equal((await newest())?.id, before?.id)
  })

test('rejects more than three screenshots and images over 8 MB', async () => {
  const many = await send(link.url, { fields: { text: 'many' }, files: [png, png, png, png] })
  assert.equal(many.status, 422)
  const large = await send(link.url, {
    fields: { text: 'large' },
    files: [Buffer.concat([png, Buffer.alloc(8 * 1024 * 1024)])],
  })
  assert.equal(large.status, 422)
  assert.match(large.text, /at most 8 MB/)
})

test('deletes screenshots with the feedback and counts their bytes', async () => {
  await send(link.url, { fields: { text: 'to delete' }, files: [png] })
  const { id, screenshots } = await newest()
  const row = await service.deps.db
    .selectFrom('feedback_screenshots')
    .select(['object_key', 'size_bytes'])
    .where('feedback_id', '=', id)
    .executeTakeFirstOrThrow()
  const before = await storedBytes()
  assert.equal((await call('DELETE', `/feedback/${id}`)).status, 200)
  assert.equal(await storedBytes(), before - row.size_bytes)
  assert.equal((await served(screenshots[0]!.url, authorized())).response.status, 404)
  const object = await service.deps.db
    .selectFrom('stored_objects')
    .select('deleted_at')
    .where('key', '=', row.object_key)
    .executeTakeFirstOrThrow()
  assert.notEqual(object.deleted_at, null)
})

async function storedBytes(): Promise<number> {
  const { total } = await service.deps.db
    .selectFrom('storage_usage')
    .select((eb) => eb.fn.sum<string>('bytes').as('total'))
    .where('application_id', '=', tenant.applicationId)
    .executeTakeFirstOrThrow()
  return Number(total)
}
