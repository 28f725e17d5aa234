import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** The addresses of a name and, if it is an alias, its canonical name. */
export type DnsAddresses = { cname?: string; addresses: string[] }

/** The reply to a query: TXT records, addresses, an error or no reply at all. */
export type DnsResponse = string[] | DnsAddresses | 'servfail' | 'silence'

const types = { a: 1, cname: 5, txt: 16, aaaa: 28 }

/** Starts a DNS server (RFC 1035) on loopback that returns NXDOMAIN for unknown names. */
export async function startDnsServer() {
  const responses = new Map<string, DnsResponse>()
  const queries: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query, 12)
    queries.push(name)
    const response = responses.get(name.toLowerCase())
    if (response !== 'silence') socket.send(encodeResponse(query, end + 4, response), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    responses,
    queries,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readName(query: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

function encodeResponse(
  query: Buffer,
  questionEnd: number,
  response: Exclude<DnsResponse, 'silence'> | undefined,
): Buffer {
  const code = response === 'servfail' ? 2 : response === undefined ? 3 : 0
  const queriedType = query.readUInt16BE(questionEnd - 4)
  const records =
    typeof response !== 'object'
      ? []
      : Array.isArray(response)
        ? response.map(txtRecord)
        : addressRecords(response, queriedType)
  const header = Buffer.alloc(12)
  header.writeUInt16BE(query.readUInt16BE(0), 0)
  header.writeUInt16BE(0x8180 + code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, query.subarray(12, questionEnd), ...records])
}

// A compression pointer to the queried name, which starts at byte 12.
const queriedName = Buffer.from([0xc0, 12])

function record(name: Buffer, type: number, data: Buffer): Buffer {
  const header = Buffer.from('00000001000000000000', 'hex')
  header.writeUInt16BE(type, 0)
  header.writeUInt16BE(data.length, 8)
  return Buffer.concat([name, header, data])
}

function txtRecord(text: string): Buffer {
  // A TXT record consists of strings of at most 255 bytes each.
  const strings = text.match(/.{1,255}/gs) ?? ['']
  const data = strings.map((string) => Buffer.from([string.length, ...Buffer.from(string, 'latin1')]))
  return record(queriedName, types.txt, Buffer.concat(data))
}

function addressRecords({ cname, addresses }: DnsAddresses, queriedType: number): Buffer[] {
  const owner = cname === undefined ? queriedName : encodeName(cname)
  const alias = cname === undefined ? [] : [record(queriedName, types.cname, owner)]
  const found = addresses.filter((address) => queriedType === (address.includes(':') ? types.aaaa : types.a))
  return [...alias, ...found.map((address) => record(owner, queriedType, addressBytes(address)))]
}

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ])

function addressBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array<string>(8 - before!.length - after!.length).fill('0')
  return Buffer.from([...before!, ...zeros, ...after!].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
