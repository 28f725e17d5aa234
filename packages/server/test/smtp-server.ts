import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

export type Delivery = { from: string; to: string[]; data: string }

/**
 * Starts a minimal SMTP server (RFC 5321) on loopback that records emails. `replyTo` can return an error reply for a
 * recipient, such as `450 try later`.
 */
export async function startSmtpServer(replyTo: (recipient: string) => string | undefined = () => undefined) {
  const deliveries: Delivery[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serve(socket, deliveries, replyTo)
  })
  server.listen(0, '127.0.0.1')
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

function serve(socket: Socket, deliveries: Delivery[], replyTo: (recipient: string) => string | undefined) {
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
        reply('250 ok')
      }
    }
  })
  reply('220 test')
}
