import type { WebServer } from './web-server.ts'

/** A release with one file, which any service can have. */
export type TestRelease = { version: string; notes: string; date: string; filename: string; bytes: Buffer }

/** A service that has been started, or a folder that stands for one. */
export type StartedService = {
  /** Arguments after `quayside import`. */
  args: string[]
  env: Record<string, string>
  publish(release: TestRelease): Promise<void>
  /** The server of the API. Undefined for a folder. */
  api?: WebServer
  /** The server of the files, if it has another origin. */
  storage?: WebServer
}

/** A service that the behavior suite tests. */
export type Member = {
  name: string
  skip?: string | false
  start(): Promise<StartedService>
  /** The title of the imported release. */
  titleOf(release: TestRelease): string
  /** Whether a test can choose the time of a release. */
  keepsDates: boolean
  stop?(): Promise<void>
}

/** The token of each service. No other host may receive it. */
export const token = 'secret-token-0123456789'
