import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FullBuild } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { requireProcessed, waitForProcessing } from './wait-for-processing.ts'

/** A build as servers return it that do not have the field `processing`. */
const build = (pending_processing: boolean, processing_error: string | null = null) =>
  ({ id: 'b1', application_id: 'a1', pending_processing, processing_error }) as FullBuild

/** Waits for an uploaded build, with a server that returns these builds in order. */
async function waitFor(uploaded: FullBuild, responses: FullBuild[]): Promise<FullBuild> {
  const getBuild = () => Promise.resolve({ data: responses.shift() })
  const context = {
    client: () => ({ getBuild }),
    output: { note: () => {} },
    signal: new AbortController().signal,
  } as unknown as CommandContext
  const pendingProcessing = uploaded.pending_processing
  return (await waitForProcessing(context, { build: uploaded, pendingProcessing }, 60)).build
}

test('waits for a server of an earlier version to read the package', async () => {
  const responses = [build(true), build(false)]
  const processed = await waitFor(build(true), responses)
  assert.deepEqual([processed.pending_processing, responses], [false, []])
  requireProcessed(processed)
  assert.throws(() => requireProcessed(build(true)), /still reading/)
})

test('reports that a server of an earlier version could not read the package', async () => {
  const processed = await waitFor(build(true), [build(false, 'The file is damaged.')])
  assert.throws(() => requireProcessed(processed), /could not read its package: The file is damaged\./)
})
