import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

/**
 * Makes this process unable to use the network or to signal other processes. The permission model of Node 24 covers
 * neither, and only Linux can also isolate the process from the network.
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
