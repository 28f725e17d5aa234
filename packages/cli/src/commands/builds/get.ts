import type { Command } from 'commander'
import { requireApplicationId } from '../../application-of.ts'
import type { World } from '../../command-context.ts'
import { foundOr } from '../../failure.ts'
import { addVerb } from '../../verb.ts'
import { buildFacts } from './build-facts.ts'

export function addBuildsGet(parent: Command, world: World): void {
  addVerb(parent, world, {
    usage: 'get <build>',
    summary: 'show a build with its files and checksums',
    example: 'quayside builds get 7k2m9p4r3t',
    async run(context, [build_id = '']) {
      const application_id = await requireApplicationId(context)
      const call = { signal: context.signal }
      const { data } = await foundOr(
        context.client().getBuild({ application_id, build_id }, call),
        `There is no build ${build_id} here that this key reaches: see \`quayside builds list\`.`,
      )
      context.output.result(data, () => buildFacts(data))
    },
  })
}
