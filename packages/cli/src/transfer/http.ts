import type httpModule from 'node:http'
import type httpsModule from 'node:https'
import { createRequire } from 'node:module'

// An import of node:http reads all its exports, which loads `fetch` and takes as long as starting Node. Node has
// `getBuiltinModule` since 20.16.
const load = (name: string): unknown =>
  process.getBuiltinModule?.(name) ?? createRequire(import.meta.url)(name)

export const http = load('node:http') as typeof httpModule
export const https = load('node:https') as typeof httpsModule
