import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { changeReleaseBuilds } from './change-release-builds.ts'

export function addReleasesRemove(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'remove <release> <build...>',
    summary: 'remove builds from a release',
    description: 'Remove builds from a release. The builds are kept.',
    result: 'removeReleaseBuild',
    example: 'quayside releases remove 1.2.3 7k2m9p4r3t',
    async run(context, args) {
      const client = context.client()
      await changeReleaseBuilds(context, args, {}, (ids) =>
        client.removeReleaseBuild(ids, { signal: context.signal }),
      )
    },
  })
}
