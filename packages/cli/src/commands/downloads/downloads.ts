import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addDownloadsList } from './list.ts'
import { addDownloadsTotals } from './totals.ts'

export function addDownloads(program: Command, runtime: Runtime): void {
  const downloads = addCommandGroup(program, 'downloads', 'list and count who downloaded builds')
  addDownloadsList(downloads, runtime)
  addDownloadsTotals(downloads, runtime)
}
