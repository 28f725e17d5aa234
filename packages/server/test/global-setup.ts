import { startTestServer, type TestServer } from './postgres-server.ts'

let server: TestServer | undefined

/** Starts one PostgreSQL server per run (`--test-global-setup`) and sets QUAYSIDE_TEST_POSTGRES to its connection. */
export async function globalSetup(): Promise<void> {
  server = await startTestServer()
  process.env['QUAYSIDE_TEST_POSTGRES'] = JSON.stringify(server.connection)
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
