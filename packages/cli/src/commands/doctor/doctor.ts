import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'

export function addDoctor(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'doctor',
    summary: 'check the server, the API key and the environment',
    description:
      'Check whether the server responds, which API key and application are used, whether the public URL of the\n' +
      'server is reachable, and what an upload from this folder would record about its origin. Nothing is changed.\n' +
      'Exits with code 1 if a check fails.',
    result: { check: false, result: false, details: false },
    example: 'quayside doctor --server https://builds.example.com',
    async run(context) {
      const { runDoctor } = await import('./run-doctor.ts')
      await runDoctor(context)
    },
  })
}
