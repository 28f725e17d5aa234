import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { gunzipSync, inflateSync } from 'node:zlib'
import { createMessage, readKey, readSignature, verify } from 'openpgp'
import { Agent, request } from 'undici'
import { parse } from 'yaml'
import { childNamed, descendantsNamed, readXmlDocument } from '../src/inspection/xml-document.ts'
import { isUnavailable, repeatWhile } from './acceptance/repeat-while.ts'

/** A file that a document names, and what the document states about it. */
export type NamedFile = { url: string; algorithm: 'sha1' | 'sha256' | 'sha512'; hex: string }

type Response = { status: number; body: Buffer; location?: string | undefined }
/** Reads a path below the channel from any node. */
type Read = (path: string) => Promise<Response>

const dispatcher = new Agent({ connections: 64, keepAliveMaxTimeout: 500 })

/** Requests a URL again while the database of a busy machine takes too long. */
export const get = (url: string): Promise<Response> =>
  repeatWhile(isUnavailable, async () => {
    const { statusCode: status, headers, body } = await request(url, { dispatcher })
    assert.equal(headers['retry-after'] !== undefined, status === 503, `${url}: ${status}`)
    return { status, body: Buffer.from(await body.arrayBuffer()), location: headers.location?.toString() }
  })

/** Reads a path, and throws unless it exists. */
async function text(read: Read, path: string): Promise<Buffer> {
  const { status, body } = await read(path)
  if (status !== 200) throw new Error(`${path}: ${status}`)
  return body
}

const hexOf = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest('hex')

/** Reads a document whose checksum another document states. */
async function verified(read: Read, path: string, sha256: string): Promise<Buffer> {
  const body = await text(read, path)
  if (hexOf('sha256', body) !== sha256) throw new Error(`${path}: wrong checksum`)
  return body
}

const keys = new Map<string, ReturnType<typeof readKey>>()

/** A document and its signature are two requests between which the repository can change, so clients try again. */
async function readSigned(
  read: Read,
  [path, signaturePath]: [string, string],
  key: string,
  attempts = 4,
): Promise<Buffer> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const [body, signature] = [await text(read, path), await text(read, signaturePath)]
    const armored = (await text(read, key)).toString()
    if (!keys.has(armored)) keys.set(armored, readKey({ armoredKey: armored }))
    const { signatures } = await verify({
      message: await createMessage({ binary: body }),
      signature: await (signaturePath.endsWith('.asc')
        ? readSignature({ armoredSignature: signature.toString() })
        : readSignature({ binarySignature: signature })),
      verificationKeys: await (keys.get(armored) ?? readKey({ armoredKey: armored })),
    })
    if (await signatures[0]?.verified.catch(() => false)) return body
  }
  throw new Error(`${path}: the signature is always of another document`)
}

async function readBucket(read: Read): Promise<NamedFile[]> {
  const head = (await text(read, 'scoop/bucket.git/info/refs')).toString().slice(0, 40)
  const object = async (id: string) => {
    const body = inflateSync(await text(read, `scoop/bucket.git/objects/${id.slice(0, 2)}/${id.slice(2)}`))
    if (hexOf('sha1', body) !== id) throw new Error(`object ${id}: wrong checksum`)
    return body.subarray(body.indexOf(0) + 1)
  }
  const onlyEntry = (tree: Buffer) =>
    tree
      .subarray(tree.indexOf(0) + 1)
      .toString('hex')
      .slice(0, 40)
  if (head === '') return []
  const tree = await object(/^tree ([0-9a-f]{40})/.exec((await object(head)).toString())?.[1] ?? '')
  if (tree.length === 0) return []
  const manifest = JSON.parse((await object(onlyEntry(await object(onlyEntry(tree))))).toString())
  return [{ url: manifest.url, algorithm: 'sha256', hex: manifest.hash }]
}

const sha256 = (url: string, hex: string): NamedFile => ({ url, algorithm: 'sha256', hex: hex.toLowerCase() })

async function readApt(read: Read): Promise<NamedFile[]> {
  const release = (await text(read, 'apt/dists/stable/InRelease')).toString()
  const [, hash = ''] = / ([0-9a-f]{64}) \d+ main\/binary-amd64\/Packages\.gz/.exec(release) ?? []
  const index = await verified(read, `apt/dists/stable/main/binary-amd64/by-hash/SHA256/${hash}`, hash)
  const fields = (name: string) =>
    [
      ...gunzipSync(index)
        .toString()
        .matchAll(new RegExp(`^${name}: (.*)$`, 'gm')),
    ].map(([, value = '']) => value)
  const hashes = fields('SHA256')
  return fields('Filename').map((filename, at) => sha256(`apt/${filename}`, hashes[at] ?? ''))
}

async function readRpm(read: Read): Promise<NamedFile[]> {
  const paths: [string, string] = ['rpm/repodata/repomd.xml', 'rpm/repodata/repomd.xml.asc']
  const repomd = readXmlDocument(await readSigned(read, paths, 'rpm/key.asc'), 'repomd.xml')
  const data = [...descendantsNamed(repomd, 'data')].find(
    ({ attributes }) => attributes.get('type') === 'primary',
  )
  const href = childNamed(data, 'location')?.attributes.get('href') ?? ''
  const primary = await verified(read, `rpm/${href}`, childNamed(data, 'checksum')?.text ?? '')
  const xml = readXmlDocument(gunzipSync(primary), 'primary.xml')
  return [...descendantsNamed(xml, 'package')].map((found) =>
    sha256(
      `rpm/${childNamed(found, 'location')?.attributes.get('href')}`,
      childNamed(found, 'checksum')?.text ?? '',
    ),
  )
}

async function readPacman(read: Read): Promise<NamedFile[]> {
  const { status, location } = await read('pacman/x86_64/harbor.db')
  if (status !== 302) throw new Error(`harbor.db: ${status}`)
  const path = `pacman/x86_64/${location}`
  // libalpm appends the ending to the URL to which it was redirected, so the signature always matches.
  const database = gunzipSync(await readSigned(read, [path, `${path}.sig`], 'pacman/key.asc', 1))
  const valuesOf = (name: string) =>
    [...database.toString('latin1').matchAll(new RegExp(`%${name}%\n(.*)\n`, 'g'))].map(
      ([, value = '']) => value,
    )
  const hashes = valuesOf('SHA256SUM')
  return valuesOf('FILENAME').map((name, at) => sha256(`pacman/x86_64/${name}`, hashes[at] ?? ''))
}

/** Reads what each format names, as strictly as its clients. URLs are absolute or below the channel. */
export const feedReaders: Record<string, (read: Read) => Promise<NamedFile[]>> = {
  async json(read) {
    const { versions } = JSON.parse((await text(read, 'json/versions.json')).toString())
    return versions.flatMap(({ files }: { files: { url: string; sha256: string }[] }) =>
      files.map((file) => sha256(file.url, file.sha256)),
    )
  },
  async electron(read) {
    const { files } = parse((await text(read, 'electron/latest.yml')).toString())
    return files.map((file: { url: string; sha512: string }) => ({
      url: `electron/${file.url}`,
      algorithm: 'sha512',
      hex: Buffer.from(file.sha512, 'base64').toString('hex'),
    }))
  },
  async velopack(read) {
    const { Assets } = JSON.parse((await text(read, 'velopack/releases.win.json')).toString())
    return Assets.map((asset: { FileName: string; SHA256: string }) =>
      sha256(`velopack/${asset.FileName}`, asset.SHA256),
    )
  },
  async 'squirrel-windows'(read) {
    const lines = (await text(read, 'squirrel-windows/RELEASES')).toString().trim().split('\n')
    return lines.map((line) => {
      const [hex = '', url = ''] = line.split(' ')
      return {
        url: URL.canParse(url) ? url : `squirrel-windows/${url}`,
        algorithm: 'sha1',
        hex: hex.toLowerCase(),
      }
    })
  },
  /** The signature of the test is the checksum of the file. */
  async tauri(read) {
    const { platforms } = JSON.parse((await text(read, 'tauri/latest.json')).toString())
    return Object.values(platforms as Record<string, { url: string; signature: string }>).map((each) =>
      sha256(each.url, Buffer.from(each.signature, 'base64').toString()),
    )
  },
  scoop: readBucket,
  apt: readApt,
  rpm: readRpm,
  pacman: readPacman,
}
