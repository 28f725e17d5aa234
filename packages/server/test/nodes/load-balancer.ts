import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type LoadBalancer = Awaited<ReturnType<typeof startLoadBalancer>>

/**
 * Forwards each connection to the next node, and to another node if the connection is refused. `portsOf` returns the
 * ports of the nodes.
 */
export async function startLoadBalancer(portsOf: () => number[]) {
  const sockets = new Set<Socket>()
  let turn = 0

  function forward(client: Socket, ports: number[]): void {
    const [port, ...others] = ports
    if (port === undefined) return void client.destroy()
    const node = connect(port, '127.0.0.1')
    sockets.add(node)
    node.on('error', () => {})
    node.once('error', () => forward(client, others))
    node.once('connect', () => {
      node.removeAllListeners('error').on('error', () => {})
      node.on('close', () => client.destroy())
      client.on('close', () => node.destroy())
      client.pipe(node).pipe(client)
    })
  }

  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    const ports = portsOf()
    turn++
    forward(
      client,
      ports.map((_, index) => ports[(turn + index) % ports.length] as number),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
