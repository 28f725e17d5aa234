import { appendFileSync } from 'node:fs'
import { startSmtpServer } from './smtp-server.ts'

// node smtp-server.process.ts <port> <file>: a mail server that writes each email to a file before it confirms it
const [, , port = '0', file = ''] = process.argv
const { url } = await startSmtpServer(undefined, {
  port: Number(port),
  onDelivery: (delivery) => appendFileSync(file, `${JSON.stringify(delivery)}\n`),
})
process.stdout.write(`${new URL(url).port}\n`)
