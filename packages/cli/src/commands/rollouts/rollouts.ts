import type { Command } from 'commander'
import { addCommand, addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { changeRollout } from './change-rollout.ts'
import { addRolloutList } from './list.ts'
import { addRolloutSet } from './set.ts'

const states = {
  pause: { state: 'paused', summary: 'keep the percentage of a rollout as it is' },
  resume: { state: 'active', summary: 'let a paused or stopped rollout continue' },
  stop: { state: 'stopped', summary: 'stop offering a version' },
  rollback: { state: 'rolled_back', summary: 'stop offering a version, and go back to the previous one' },
} as const

export function addRollout(program: Command, runtime: Runtime): void {
  const rollout = addCommandGroup(program, 'rollout', 'offer the versions of a channel step by step')
  addRolloutList(rollout, runtime)
  addRolloutSet(rollout, runtime)
  for (const [name, { state, summary }] of Object.entries(states))
    addCommand(rollout, runtime, {
      usage: `${name} <channel> <version>`,
      summary,
      result: 'updateRollout',
      example: `quayside rollout ${name} Stable 2.1.0`,
      run: (context, [channel = '', version = '']) => changeRollout(context, channel, { version, state }),
    })
}
