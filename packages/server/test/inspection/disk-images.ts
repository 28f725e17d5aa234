import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { deflateSync } from 'node:zlib'
import { join, u32be, u64be } from '../hostile/bytes.ts'
import { run } from './programs.ts'

const sectorBytes = 512
const chunkSectors = 512

/** Builds an HFS+ volume with xorriso, which puts it into an ISO image, and returns the volume. */
export function buildHfsPlus(path: (name: string) => string, files: Record<string, Buffer | string>): Buffer {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(path(`volume/${name}`)), { recursive: true })
    writeFileSync(path(`volume/${name}`), content)
  }
  const options = ['-as', 'mkisofs', '-quiet', '-hfsplus', '-V', 'Quay Volume', '-o', path('volume.iso')]
  run('xorriso', [...options, path('volume')])
  const image = readFileSync(path('volume.iso'))
  for (let at = 0; at + 1026 < image.length; at += sectorBytes)
    if (image.toString('latin1', at + 1024, at + 1026) === 'H+') return image.subarray(at)
  throw new Error('xorriso did not write an HFS+ volume.')
}

export type ImageOptions = {
  method?: 'zlib' | 'raw' | 'lzma' | 'unsupported'
  path?: (name: string) => string
  signature?: Buffer
}

/** Returns a disk image of macOS with one partition. Chunks of zeros are not stored. */
export function diskImage(volume: Buffer, { method = 'zlib', path, signature }: ImageOptions = {}): Buffer {
  const padded = Buffer.alloc(Math.ceil(volume.length / sectorBytes) * sectorBytes)
  volume.copy(padded)
  const parts: Buffer[] = []
  const chunks: Buffer[] = []
  const chunk = (type: number, sector: number, count: number, offset: number, length: number) =>
    chunks.push(join(u32be(type, 0), u64be(sector, count, offset, length)))
  let offset = 0
  for (let at = 0; at < padded.length; at += chunkSectors * sectorBytes) {
    const bytes = padded.subarray(at, at + chunkSectors * sectorBytes)
    const [sector, count] = [at / sectorBytes, bytes.length / sectorBytes]
    if (bytes.every((byte) => byte === 0)) {
      chunk(2, sector, count, offset, 0)
      continue
    }
    const [type, stored] = store(bytes, method, path)
    chunk(type, sector, count, offset, stored.length)
    parts.push(stored)
    offset += stored.length
  }
  chunk(0xffffffff, padded.length / sectorBytes, 0, offset, 0)
  const table = join(
    'mish',
    u32be(1),
    u64be(0, padded.length / sectorBytes, 0),
    u32be(chunkSectors + 8, 0),
    Buffer.alloc(24 + 136),
    u32be(chunks.length),
    ...chunks,
  )
  const plist = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>resource-fork</key><dict><key>blkx</key><array><dict>
<key>Attributes</key><string>0x0050</string><key>CFName</key><string>disk image (Apple_HFS : 1)</string>
<key>Data</key><data>${table.toString('base64')}</data><key>ID</key><string>0</string>
<key>Name</key><string>disk image (Apple_HFS : 1)</string></dict></array></dict></dict></plist>`)
  const signatureOffset = offset + plist.length
  const trailer = Buffer.alloc(sectorBytes)
  join('koly', u32be(4, sectorBytes, 1), u64be(0, 0, offset, 0, 0), u32be(1, 1)).copy(trailer)
  join(u64be(offset, plist.length)).copy(trailer, 216)
  if (signature !== undefined) u64be(signatureOffset, signature.length).copy(trailer, 296)
  join(u32be(1), u64be(padded.length / sectorBytes)).copy(trailer, 488)
  return Buffer.concat([...parts, plist, signature ?? Buffer.alloc(0), trailer])
}

function store(
  bytes: Buffer,
  method: ImageOptions['method'],
  path: ImageOptions['path'],
): readonly [number, Buffer] {
  if (method === 'zlib') return [0x80000005, deflateSync(bytes)]
  if (method === 'raw') return [1, bytes]
  if (method === 'lzma') {
    writeFileSync(path?.('chunk') ?? '', bytes)
    return [0x80000008, run('xz', ['--check=crc32', '-c', path?.('chunk') ?? ''])]
  }
  return [0x80000007, bytes]
}
