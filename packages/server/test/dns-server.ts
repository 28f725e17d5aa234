import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** What a name is answered with: TXT records, a refusal, or nothing at all. */
export type DnsAnswer = string[] | 'servfail' | 'silence'

/** A DNS server (RFC 1035) for TXT records on a loopback port; names it does not know are NXDOMAIN. */
export async function startDnsServer() {
  const names = new Map<string, DnsAnswer>()
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query, 12)
    asked.push(name)
    const answer = names.get(name.toLowerCase())
    if (answer !== 'silence') socket.send(reply(query, end + 4, answer), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    names,
    asked,
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

function reply(
  query: Buffer,
  questionEnd: number,
  answer: Exclude<DnsAnswer, 'silence'> | undefined,
): Buffer {
  const [code, texts] = answer === 'servfail' ? [2, []] : answer === undefined ? [3, []] : [0, answer]
  const header = Buffer.alloc(12)
  header.writeUInt16BE(query.readUInt16BE(0), 0)
  header.writeUInt16BE(0x8180 + code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(texts.length, 6)
  const records = texts.map((text) => {
    // a record is of strings of at most 255 bytes
    const strings = text.match(/.{1,255}/gs) ?? ['']
    const data = Buffer.concat(
      strings.map((each) => Buffer.from([each.length, ...Buffer.from(each, 'latin1')])),
    )
    const record = Buffer.from('c00c00100001000000000000', 'hex')
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([header, query.subarray(12, questionEnd), ...records])
}
