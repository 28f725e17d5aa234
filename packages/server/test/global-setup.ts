import { startTestServer, type TestServer } from './postgres-server.ts'

let server: TestServer | undefined

/** For `node --test --test-global-setup`: one PostgreSQL for the whole run, found by the test files in the environment. */
export async function globalSetup(): Promise<void> {
  server = await startTestServer()
  process.env['QUAYSIDE_TEST_POSTGRES'] = JSON.stringify(server.connection)
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
