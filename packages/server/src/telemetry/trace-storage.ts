import type { Tracing } from '../lib/tracing.ts'
import type { StorageDriver } from '../storage/driver.ts'

/** Returns the driver with a span for each call that returns a promise. */
export const traceStorage = <Driver extends StorageDriver>(driver: Driver, tracing: Tracing): Driver =>
  new Proxy(driver, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== 'function') return member
      return (...args: unknown[]): unknown => {
        const end = tracing.start(`storage ${String(name)}`, {})
        const result: unknown = Reflect.apply(member, target, args)
        if (!(result instanceof Promise)) {
          end()
          return result
        }
        result.then(() => end(), end)
        return result
      }
    },
  })
