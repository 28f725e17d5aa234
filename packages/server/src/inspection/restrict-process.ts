import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

/**
 * Prevents this process from using the network, signaling other processes and loading native code. The permission model
 * of Node 24 does not cover the network and signals, and only Linux also isolates the process from the network.
 */
export function restrictProcess(): void {
  replace(net.Socket.prototype, ['connect'])
  replace(net.Server.prototype, ['listen'])
  replace(dgram.Socket.prototype, ['bind', 'connect', 'send'])
  for (const object of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
    const names = Object.getOwnPropertyNames(object)
    replace(
      object,
      names.filter((name) => /^(lookup|resolve|reverse)/.test(name)),
    )
  }
  replace(process, ['kill', '_kill', '_debugProcess', 'binding', 'dlopen'])
}

const deny = () => {
  throw new Error('This process may not do that.')
}

function replace(object: object, names: string[]): void {
  for (const name of names)
    Object.defineProperty(object, name, { value: deny, writable: false, configurable: false })
}
