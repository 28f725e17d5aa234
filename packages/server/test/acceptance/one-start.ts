import { prepareService, type Service } from './npm-start.ts'

let shared: Promise<Service> | undefined

/** Starts a service that all test files of this process share; the first call determines its settings. */
export function sharedService(settings: Record<string, string> = {}): Promise<Service> {
  shared ??= prepareService({ settings }).then(async (service) => {
    await service.start()
    return service
  })
  return shared
}
// In a shared process, `after` would run when the tests of the first file have ended.
process.getBuiltinModule('node:test').after(async () => (await shared)?.remove())
