import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

export type Delivery = { from: string; to: string[]; data: string }

/**
 * A small SMTP server on loopback (RFC 5321) that keeps what it is given. `answerTo` may give another answer to a
 * recipient, such as `450 try later`.
 */
export async function startSmtpServer(answerTo: (recipient: string) => string | undefined = () => undefined) {
  const deliveries: Delivery[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    talk(socket, deliveries, answerTo)
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

function talk(socket: Socket, deliveries: Delivery[], answerTo: (recipient: string) => string | undefined) {
  let rest = ''
  let isData = false
  let mail: Delivery = { from: '', to: [], data: '' }
  const say = (line: string) => socket.write(`${line}\r\n`)
  const obey = (line: string) => {
    const [, address = ''] = /<([^>]*)>/.exec(line) ?? []
    if (/^(EHLO|HELO)/i.test(line)) return say('250 test')
    if (/^MAIL FROM/i.test(line)) {
      mail = { from: address, to: [], data: '' }
      return say('250 ok')
    }
    if (/^RCPT TO/i.test(line)) {
      const refusal = answerTo(address)
      if (refusal === undefined) mail.to.push(address)
      return say(refusal ?? '250 ok')
    }
    if (/^DATA/i.test(line)) {
      isData = true
      return say('354 go on')
    }
    if (/^QUIT/i.test(line)) return socket.end('221 bye\r\n')
    return say('250 ok')
  }
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    rest += chunk
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 2)
      if (!isData) obey(line)
      else if (line !== '.') mail.data += `${line.replace(/^\./, '')}\n`
      else {
        isData = false
        deliveries.push(mail)
        say('250 taken')
      }
    }
  })
  say('220 test')
}
