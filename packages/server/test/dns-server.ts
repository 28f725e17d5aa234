import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** The reply to a query: TXT records, an error or no reply at all. */
export type DnsResponse = string[] | 'servfail' | 'silence'

/** Starts a DNS server (RFC 1035) on loopback that serves TXT records and returns NXDOMAIN for unknown names. */
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
  const [code, texts] = response === 'servfail' ? [2, []] : response === undefined ? [3, []] : [0, response]
  const header = Buffer.alloc(12)
  header.writeUInt16BE(query.readUInt16BE(0), 0)
  header.writeUInt16BE(0x8180 + code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(texts.length, 6)
  const records = texts.map((text) => {
    // A TXT record consists of strings of at most 255 bytes each.
    const strings = text.match(/.{1,255}/gs) ?? ['']
    const data = Buffer.concat(
      strings.map((string) => Buffer.from([string.length, ...Buffer.from(string, 'latin1')])),
    )
    const record = Buffer.from('c00c00100001000000000000', 'hex')
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([header, query.subarray(12, questionEnd), ...records])
}
