import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { buildCommands, uploadBuild } from './build-commands.ts'
import { compare } from './compare.ts'
import { placeCommands, restarts } from './place-commands.ts'
import { createPair, createSharedService, type Shared } from './real.ts'
import { sharingCommands } from './sharing-commands.ts'

const sequences = Number(process.env['QUAYSIDE_MODEL_RUNS'] ?? 60)
const atOnce = 6

let shared: Shared
before(async () => {
  shared = await createSharedService()
})
after(() => shared.close())

const everyday = [...buildCommands, ...placeCommands, ...sharingCommands]
// a restart takes as long as a hundred other commands
const commands = fc.commands([...everyday, ...everyday, ...everyday, ...restarts], {
  maxCommands: 30,
  size: 'max',
})

test(`${sequences} sequences of changes, each read back, are what the model says`, async () => {
  const done = { sequences: 0, requests: 0 }
  const property = fc.asyncProperty(
    fc.array(uploadBuild, { maxLength: 3 }),
    commands,
    async (first, sequence) => {
      const pair = await createPair(shared)
      for (const upload of first) await upload.run(pair.model, pair.real)
      await fc.asyncModelRun(() => pair, sequence)
      await compare(pair.model, pair.real)
      done.sequences++
      done.requests += pair.real.requests()
    },
  )
  const share = Math.ceil(sequences / atOnce)
  const seed = Number(process.env['QUAYSIDE_MODEL_SEED'] ?? Date.now() % 2 ** 31)
  await Promise.all(
    Array.from({ length: atOnce }, (_, index) => fc.assert(property, { numRuns: share, seed: seed + index })),
  )
  console.log(`${done.sequences} sequences, ${done.requests} requests, from the seed ${seed}`)
})
