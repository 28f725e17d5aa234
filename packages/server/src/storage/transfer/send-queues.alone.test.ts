import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { until } from '../../../test/until.ts'
import { connectionKey, readSendQueues } from './send-queues.ts'

const sentBytes = 16 * 1024 * 1024

for (const [family, listenAddress, address] of [
  ['IPv4', '127.0.0.1', '127.0.0.1'],
  ['IPv6', '::1', '::1'],
  ['IPv4-mapped', '::', '127.0.0.1'],
] as const)
  test(`measures the send queue of each ${family} connection`, async (t) => {
    const server = createServer().listen(0, listenAddress)
    await once(server, 'listening')
    const sockets: Socket[] = []
    t.after(() => {
      server.close()
      for (const socket of sockets) socket.destroy()
    })

    const accept = async () => {
      const client = connect((server.address() as AddressInfo).port, address)
      const [socket] = (await once(server, 'connection')) as [Socket]
      sockets.push(client, socket)
      return { client, socket }
    }
    const reading = await accept()
    const notReading = await accept()
    reading.client.resume()
    notReading.client.pause()
    reading.socket.write(Buffer.alloc(sentBytes))
    notReading.socket.write(Buffer.alloc(sentBytes))

    const queueOf = async ({ socket }: { socket: Socket }) =>
      (await readSendQueues()).get(connectionKey(socket))
    await until('bytes to be queued', async () => ((await queueOf(notReading)) ?? 0) > 64 * 1024)
    await until('the reading client to receive all bytes', async () => {
      return reading.client.bytesRead === sentBytes && (await queueOf(reading)) === undefined
    })

    notReading.client.resume()
    await until('the queue to be empty', async () => (await queueOf(notReading)) === undefined)
  })
