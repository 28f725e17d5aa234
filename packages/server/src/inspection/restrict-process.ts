import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import v8 from 'node:v8'

/**
 * Prevents this process from using the network, signaling other processes, loading native code and changing flags of
 * V8. The permission model of Node 24 does not cover the network, signals, priorities and flags, and only Linux also
 * isolates the process from the network.
 */
export function restrictProcess(): void {
  replace(net, ['_createServerHandle'])
  replace(net.Socket.prototype, ['connect'])
  replace(net.Server.prototype, ['listen', '_listen2'])
  replace(dgram, ['_createSocketHandle'])
  replace(dgram.Socket.prototype, ['bind', 'connect', 'send'])
  replace(os, ['setPriority'])
  replace(v8, ['setFlagsFromString'])
  for (const object of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
    const names = Object.getOwnPropertyNames(object)
    replace(
      object,
      names.filter((name) => /^(lookup|resolve|reverse)/.test(name)),
    )
  }
  replace(process, ['kill', '_kill', '_debugProcess', 'binding', 'dlopen'])
  // Named imports would otherwise still return the original functions.
  syncBuiltinESMExports()
}

const deny = () => {
  throw new Error('This process may not do that.')
}

function replace(object: object, names: string[]): void {
  for (const name of names)
    Object.defineProperty(object, name, { value: deny, writable: false, configurable: false })
}
