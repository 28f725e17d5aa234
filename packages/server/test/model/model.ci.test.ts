import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { isFullSize } from '../acceptance/full-size.ts'
import { applicationCommands, restarts } from './application-commands.ts'
import { buildCommands, uploadBuild } from './build-commands.ts'
import { compare } from './compare.ts'
import { createPair, createSharedService, type Shared } from './real.ts'
import { sharingCommands } from './sharing-commands.ts'

const sequences = Number(process.env['QUAYSIDE_MODEL_RUNS'] ?? (isFullSize ? 60 : 20))
const maxConcurrency = 6

let shared: Shared
before(async () => {
  shared = await createSharedService()
})
after(() => shared.close())

const commonCommands = [...buildCommands, ...applicationCommands, ...sharingCommands]
// Restarts are rare, because a restart takes as long as a hundred other commands.
const commands = fc.commands([...commonCommands, ...commonCommands, ...commonCommands, ...restarts], {
  maxCommands: 30,
  size: 'max',
})

test(`matches the state that the model predicts after ${sequences} random command sequences`, async () => {
  const done = { sequences: 0, requests: 0 }
  const property = fc.asyncProperty(
    fc.array(uploadBuild, { maxLength: 3 }),
    commands,
    async (uploads, sequence) => {
      const pair = await createPair(shared)
      for (const upload of uploads) await upload.run(pair.model, pair.real)
      await fc.asyncModelRun(() => pair, sequence)
      await compare(pair.model, pair.real)
      done.sequences++
      done.requests += pair.real.requests()
    },
  )
  const sequencesEach = Math.ceil(sequences / maxConcurrency)
  const seed = Number(process.env['QUAYSIDE_MODEL_SEED'] ?? Date.now() % 2 ** 31)
  await Promise.all(
    Array.from({ length: maxConcurrency }, (_, index) =>
      fc.assert(property, { numRuns: sequencesEach, seed: seed + index }),
    ),
  )
  console.log(`${done.sequences} sequences, ${done.requests} requests, seed ${seed}`)
})
