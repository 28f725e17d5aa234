const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._'
const tablePrefix = '\u4840'
const longReferences = 0x80000000

/** Maps Windows code pages to names of encodings (https://encoding.spec.whatwg.org). */
const encodings: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1250: 'windows-1250',
  1251: 'windows-1251',
  1252: 'windows-1252',
  1253: 'windows-1253',
  1254: 'windows-1254',
  1255: 'windows-1255',
  1256: 'windows-1256',
  1257: 'windows-1257',
  1258: 'windows-1258',
  65001: 'utf-8',
}

/** The streams with the strings and the Property table of a database. */
type Streams = { pool: Buffer; data: Buffer; table: Buffer }

/**
 * Returns the name of the stream that contains a table. Windows Installer packs two characters into one, because names
 * have at most 31 characters.
 */
export function tableStreamName(table: string): string {
  let name = tablePrefix
  for (let at = 0; at < table.length; at += 2) {
    const first = alphabet.indexOf(table.charAt(at))
    const second = at + 1 < table.length ? alphabet.indexOf(table.charAt(at + 1)) : -1
    name += String.fromCodePoint(second < 0 ? 0x4800 + first : 0x3800 + first + (second << 6))
  }
  return name
}

/** Returns the rows of the Property table. It stores the string numbers of all names, followed by those of all values. */
export function readPropertyTable({ pool, data, table }: Streams): Map<string, string> {
  const header = pool.readUInt32LE(0)
  const referenceBytes = header >= longReferences ? 3 : 2
  const count = Math.floor(table.length / (referenceBytes * 2))
  const numberAt = (index: number) => table.readUIntLE(index * referenceBytes, referenceBytes)
  const rows = Array.from({ length: count }, (_, row) => [numberAt(row), numberAt(row + count)] as const)
  const strings = readStrings({ pool, data }, new Set(rows.flat()))
  return new Map(rows.map(([name, value]) => [strings.get(name) ?? '', strings.get(value) ?? '']))
}

/**
 * Returns the requested strings by number. The pool contains the length and reference count of each string. A length that
 * does not fit into 16 bits is in the next entry.
 */
function readStrings({ pool, data }: Omit<Streams, 'table'>, wanted: Set<number>): Map<number, string> {
  const codePage = pool.readUInt32LE(0) % longReferences
  const decoder = new TextDecoder(encodings[codePage] ?? 'windows-1252')
  const strings = new Map<number, string>()
  let offset = 0
  let number = 1
  for (let at = 4; at + 4 <= pool.length; at += 4, number++) {
    let length = pool.readUInt16LE(at)
    if (length === 0 && pool.readUInt16LE(at + 2) !== 0) {
      at += 4
      length = pool.readUInt32LE(at)
    }
    if (wanted.has(number)) strings.set(number, decoder.decode(data.subarray(offset, offset + length)))
    offset += length
  }
  return strings
}
