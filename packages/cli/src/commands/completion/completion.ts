import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'

const shells = ['bash', 'zsh', 'fish'] as const

export function addCompletion(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'completion <shell>',
    summary: 'print a shell completion script',
    description:
      'Print a script that completes commands, options and their values in bash, zsh or fish, including the names of\n' +
      'applications, streams, builds, releases, labels and keys on the server. What the server does not send within\n' +
      '1.5 seconds is not completed.\n\n' +
      'bash: add `source <(quayside completion bash)` to ~/.bashrc.\n' +
      'zsh:  add `source <(quayside completion zsh)` to ~/.zshrc, after compinit.\n' +
      'fish: run `quayside completion fish > ~/.config/fish/completions/quayside.fish`.',
    result: false,
    example: 'quayside completion bash',
    options: (command) => {
      command.registeredArguments[0]?.choices(shells)
      return command
    },
    async run({ runtime: { stdout } }, [shell]) {
      const { completionScripts } = await import('./scripts.ts')
      stdout.write(completionScripts[shell as (typeof shells)[number]])
    },
  })
}
