import { lookup } from 'node:dns'
import { Agent as HttpAgent, type AgentOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP } from 'node:net'
import { Duplex } from 'node:stream'
import type { AddressRules } from './address-rules.ts'
import { createGuardedAgent, ForbiddenAddress, guardedLookup, type Resolve } from './outgoing.ts'

export type Agents = { httpAgent: HttpAgent; httpsAgent: HttpsAgent }

/** Creates agents for clients that use Node's HTTP modules. They connect only to addresses that the rules allow. */
export function createGuardedAgents(
  rules: AddressRules,
  options: AgentOptions = {},
  resolve: Resolve = lookup,
): Agents {
  const agentOptions = { ...options, lookup: guardedLookup(rules, resolve), autoSelectFamily: true }
  const agents = { httpAgent: new HttpAgent(agentOptions), httpsAgent: new HttpsAgent(agentOptions) }
  for (const agent of [agents.httpAgent, agents.httpsAgent]) {
    const connect: Connect = agent.createConnection.bind(agent)
    const guarded: Connect = (target, callback) => {
      const host = (target.host ?? '').replace(/^\[(.*)\]$/, '$1')
      // A host that is an IP address bypasses the lookup, so it is checked here.
      if (isIP(host) === 0 || rules.allows(host)) return connect(target, callback)
      queueMicrotask(() => callback?.(new ForbiddenAddress(host), new Duplex()))
      return undefined
    }
    agent.createConnection = guarded
  }
  return agents
}

type Connect = HttpAgent['createConnection']

type Fetch = (
  url: string,
  options?: { method?: string; headers?: Record<string, string>; body?: Uint8Array; signal?: AbortSignal },
) => Promise<Response>

/** Creates a `fetch` that connects only to addresses that the rules allow and follows no redirects. */
export function createGuardedFetch(
  rules: AddressRules,
  resolve: Resolve = lookup,
): { fetch: Fetch; close: () => Promise<void> } {
  let agent: ReturnType<typeof createGuardedAgent> | undefined
  return {
    async fetch(url, options) {
      const { fetch } = await import('undici')
      const dispatcher = await (agent ??= createGuardedAgent(rules, resolve))
      const response: unknown = await fetch(url, { ...options, dispatcher, redirect: 'manual' })
      return response as Response
    },
    close: async () => (await agent)?.destroy(),
  }
}
