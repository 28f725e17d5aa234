import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { SlowLoad } from './slow-clients.ts'

// Keeps slow connections open until the process is killed. Opens a new one whenever the server closes one.
const { port, connections, request, bytesPerSecond, isReading } = JSON.parse(
  process.argv[2] ?? '',
) as SlowLoad
const clientAddresses = 20

// Paused sockets do not keep the process running.
setInterval(() => undefined, 60_000)

for (let index = 0; index < connections; index++)
  void keepConnected(`127.0.1.${1 + (index % clientAddresses)}`)

async function keepConnected(localAddress: string): Promise<void> {
  for (;;) {
    await connectSlowly(localAddress)
    await pause(1_000)
  }
}

function connectSlowly(localAddress: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  if (isReading) socket.resume()
  else socket.pause()
  if (request !== '') socket.write(request)
  const timer = bytesPerSecond > 0 ? setInterval(() => socket.write('x'), 1_000 / bytesPerSecond) : undefined
  socket.on('error', () => undefined)
  return new Promise((resolve) => {
    socket.once('close', () => {
      clearInterval(timer)
      resolve()
    })
  })
}
