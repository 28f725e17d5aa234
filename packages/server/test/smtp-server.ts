import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

export type Delivery = { from: string; to: string[]; data: string }

/**
 * Starts a minimal SMTP server (RFC 5321) on loopback that records emails. `replyTo` can return an error reply for a
 * recipient, such as `450 try later`. `onDelivery` runs before the server confirms an email.
 */
export async function startSmtpServer(
  replyTo: (recipient: string) => string | undefined = () => undefined,
  { port = 0, onDelivery = () => {} }: { port?: number; onDelivery?: (delivery: Delivery) => void } = {},
) {
  const deliveries: Delivery[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serve(socket, { deliveries, replyTo, onDelivery })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deliveries,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

type Serving = {
  deliveries: Delivery[]
  replyTo: (recipient: string) => string | undefined
  onDelivery: (delivery: Delivery) => void
}

function serve(socket: Socket, { deliveries, replyTo, onDelivery }: Serving) {
  let rest = ''
  let isData = false
  let mail: Delivery = { from: '', to: [], data: '' }
  const reply = (line: string) => socket.write(`${line}\r\n`)
  const handleCommand = (line: string) => {
    const [, address = ''] = /<([^>]*)>/.exec(line) ?? []
    if (/^(EHLO|HELO)/i.test(line)) return reply('250 test')
    if (/^MAIL FROM/i.test(line)) {
      mail = { from: address, to: [], data: '' }
      return reply('250 ok')
    }
    if (/^RCPT TO/i.test(line)) {
      const rejection = replyTo(address)
      if (rejection === undefined) mail.to.push(address)
      return reply(rejection ?? '250 ok')
    }
    if (/^DATA/i.test(line)) {
      isData = true
      return reply('354 send the mail')
    }
    if (/^QUIT/i.test(line)) return socket.end('221 bye\r\n')
    return reply('250 ok')
  }
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    rest += chunk
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 2)
      if (!isData) handleCommand(line)
      else if (line !== '.') mail.data += `${line.replace(/^\./, '')}\n`
      else {
        isData = false
        deliveries.push(mail)
        onDelivery(mail)
        reply('250 ok')
      }
    }
  })
  reply('220 test')
}

/** Returns the unfolded headers of an email by lowercase name, and the decoded text and HTML parts. */
export function readMail({ data }: Delivery) {
  const headersOf = (text: string): Record<string, string> =>
    Object.fromEntries(
      text
        .replaceAll(/\n[ \t]+/g, ' ')
        .split('\n')
        .map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
  const [head = '', ...rest] = data.split('\n\n')
  const headers = headersOf(head)
  const [, boundary] = /boundary="([^"]+)"/.exec(head) ?? []
  const content = rest.join('\n\n')
  const parts =
    boundary === undefined
      ? [{ headers, body: content }]
      : content.split(`--${boundary}`).map((part) => {
          const [partHead = '', ...body] = part.trimStart().split('\n\n')
          return { headers: headersOf(partHead), body: body.join('\n\n') }
        })
  const partOf = (type: string): string => {
    const found = parts.find((part) => part.headers['content-type']?.startsWith(type) === true)
    return found === undefined ? '' : decode(found.body, found.headers['content-transfer-encoding'])
  }
  return { headers, text: partOf('text/plain'), html: partOf('text/html') }
}

function decode(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
