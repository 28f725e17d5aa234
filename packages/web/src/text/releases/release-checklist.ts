import { plural } from '../../ui/format/bytes.ts'
import { listOf } from '../../ui/format/list.ts'

/** The checklist of a release. */
export const checklistText = {
  title: 'Checklist',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  states: { done: 'Done', open: 'Open', none: 'Not applicable' },
  openItems: (count: number) => plural(count, 'open item'),
  complete: 'The checklist is complete.',
  neverBlocks: 'You can publish anyway.',
  notes: { done: 'Release notes are written', open: 'No release notes' },
  platforms: {
    empty: 'No builds',
    first: 'First release: no platforms to compare',
    done: (previous: string) => `All platforms of ${previous}`,
    open: (missing: readonly string[], previous: string) =>
      `No build for ${listOf(missing)}, unlike ${previous}`,
  },
  processing: {
    done: 'All packages are read',
    failed: (names: readonly string[]) =>
      `${names.length === 1 ? 'Package' : 'Packages'} for ${listOf(names)} could not be read`,
    waiting: (count: number) => `${plural(count, 'package is', 'packages are')} still being read`,
  },
  version: {
    first: 'First release: no version to compare',
    done: (previous: string) => `Version is higher than ${previous}`,
    open: (previous: string) => `Version is not higher than ${previous}`,
  },
  buildVersions: {
    done: 'Builds have the version of the release',
    open: (count: number) => `${plural(count, 'build has', 'builds have')} another version`,
  },
  checksums: {
    done: 'All files have a SHA-256 checksum',
    open: (names: readonly string[]) => `No checksum yet for ${listOf(names)}`,
  },
  signatures: {
    done: 'All known signatures are valid',
    invalid: (names: readonly string[]) => `Signature for ${listOf(names)} is invalid`,
    unsigned: (names: readonly string[]) =>
      `${names.length === 1 ? 'Package' : 'Packages'} for ${listOf(names)} ${names.length === 1 ? 'is' : 'are'} not signed`,
    none: 'No signatures to check',
  },
  permissions: {
    none: 'No permissions to compare',
    done: 'No new sensitive permissions',
    mentioned: 'Notes mention the new permissions',
    open: (names: readonly string[]) =>
      `Notes do not mention the new ${names.length === 1 ? 'permission' : 'permissions'} ${listOf(names)}`,
  },
  audience: { done: 'People can find it', open: 'Nobody can find it yet' },
  fixes: {
    notes: 'Write notes',
    'edit-notes': 'Edit notes',
    'add-builds': 'Add builds',
    edit: 'Edit version',
    audience: 'Choose an audience',
    build: 'Open build',
  },
} as const
