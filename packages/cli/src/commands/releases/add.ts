import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { withLatestOptions } from '../builds/select-build.ts'
import type { LatestOptions } from '../builds/select-build.ts'
import { changeReleaseBuilds } from './change-release-builds.ts'

export function addReleasesAdd(parent: Command, runtime: Runtime): void {
  addCommand<LatestOptions>(parent, runtime, {
    usage: 'add <release> <build...>',
    summary: 'add builds to a release',
    description: 'Add builds to a release. A build is an ID or "latest".',
    result: 'addReleaseBuild',
    example: 'quayside releases add 1.2.3 latest --stream stable --platform android',
    options: withLatestOptions,
    async run(context, args, options) {
      const client = context.client()
      await changeReleaseBuilds(context, args, options, (ids) =>
        client.addReleaseBuild(ids, { signal: context.signal }),
      )
    },
  })
}
