import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

/**
 * Makes every way to use the network throw an error. The permission model of Node 24 does not cover the network, and
 * only Linux can also isolate the process from it.
 */
export function disableNetwork(): void {
  const denied = () => {
    throw new Error('The network is disabled in this process.')
  }
  replace(net.Socket.prototype, ['connect'], denied)
  replace(net.Server.prototype, ['listen'], denied)
  replace(dgram.Socket.prototype, ['bind', 'connect', 'send'], denied)
  for (const object of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
    replace(
      object,
      Object.getOwnPropertyNames(object).filter((name) => /^(lookup|resolve|reverse)/.test(name)),
      denied,
    )
}

function replace(object: object, names: string[], value: () => never): void {
  for (const name of names)
    Object.defineProperty(object, name, { value, writable: false, configurable: false })
}
