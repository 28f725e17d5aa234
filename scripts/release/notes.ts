import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ReleaseError } from './release-error.ts'
import type { Release } from './release.ts'

const file = 'RELEASE_NOTES.md'
const unreleased = 'Unreleased'

/** Writes the section of the changelog about this version as the release notes. */
export async function writeNotes({ root, folder, version, key, log }: Release): Promise<void> {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  const isPublishable = key !== undefined && !key.isTest
  const section =
    findSection(changelog, version) ?? (isPublishable ? undefined : findSection(changelog, unreleased))
  if (section === undefined)
    throw new ReleaseError(
      `CHANGELOG.md has no section for version ${version}. Rename [${unreleased}] to [${version}] with the date, then commit it.`,
    )
  await writeFile(join(folder, file), `# Quayside ${version}\n\n${section}\n`)
  log(file)
}

/** Returns the text below the heading of a version, or undefined if there is no such heading. */
export function findSection(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.startsWith(`[${version}]`))
  return section?.slice(section.indexOf('\n') + 1).trim()
}
