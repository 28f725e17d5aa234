import { slice } from '../bytes.ts'

const maxStrings = 1_000
const fixedInfoSignature = 0xfeef04bd

/** The strings of a version resource, such as `ProductName`, and its numeric versions. */
export type VersionResource = {
  strings: Map<string, string>
  fileVersion: string | null
  productVersion: string | null
}

/** A block of a version resource: a key, a value and nested blocks. */
type Block = { key: string; value: Buffer; children: Buffer }

/**
 * Reads a VS_VERSIONINFO structure (winver.h). The first language takes precedence. Throws a RangeError if the structure
 * is damaged.
 */
export function readVersionResource(bytes: Buffer): VersionResource {
  const root = readBlock(bytes)
  const strings = new Map<string, string>()
  for (const info of blocksIn(root.children)) {
    if (info.key !== 'StringFileInfo') continue
    for (const language of blocksIn(info.children)) {
      for (const { key, value } of blocksIn(language.children)) {
        const text = value.toString('utf16le').replace(/\0.*$/s, '')
        if (!strings.has(key) && strings.size < maxStrings) strings.set(key, text)
      }
    }
  }
  const hasVersions = root.value.length >= 24 && root.value.readUInt32LE(0) === fixedInfoSignature
  const version = (at: number) =>
    hasVersions ? [at + 2, at, at + 6, at + 4].map((part) => root.value.readUInt16LE(part)).join('.') : null
  return { strings, fileVersion: version(8), productVersion: version(16) }
}

/** Returns consecutive blocks, which are aligned to four bytes. */
function blocksIn(bytes: Buffer): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at + 6 <= bytes.length && blocks.length < maxStrings;) {
    const length = bytes.readUInt16LE(at)
    if (length < 6) break
    // The length of the last block can include padding that some compilers do not write.
    blocks.push(readBlock(bytes.subarray(at)))
    at = align(at + length)
  }
  return blocks
}

function readBlock(bytes: Buffer): Block {
  const block = bytes.subarray(0, bytes.readUInt16LE(0))
  const valueLength = block.readUInt16LE(2)
  const isText = block.readUInt16LE(4) === 1
  let end = 6
  while (block.readUInt16LE(end) !== 0) end += 2
  const valueStart = align(end + 2)
  // The length of text is measured in UTF-16 units, and that of other values in bytes.
  const valueEnd = valueStart + valueLength * (isText ? 2 : 1)
  return {
    key: slice(block, 6, end - 6).toString('utf16le'),
    value: block.subarray(valueStart, valueEnd),
    children: block.subarray(align(valueEnd)),
  }
}

const align = (offset: number): number => Math.ceil(offset / 4) * 4
