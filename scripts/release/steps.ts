import { writeChecksums } from './checksums.ts'
import { writeDebianPackages } from './debian-packages.ts'
import { buildExecutables } from './executables/build-executables.ts'
import { writeHelmChart } from './helm-chart.ts'
import { writeInstallers } from './installers/write-installers.ts'
import { writeNotes } from './notes.ts'
import { packPackages } from './pack-packages.ts'
import { writeProvenance } from './provenance.ts'
import type { Step } from './release.ts'
import { writeSboms } from './sboms.ts'
import { signChecksums } from './signatures/sign-checksums.ts'

/** The steps of a release, in order. What is written before `provenance` is a subject of the provenance. */
export const steps: readonly Step[] = [
  { name: 'notes', run: writeNotes },
  { name: 'packages', run: packPackages },
  { name: 'debian', run: writeDebianPackages },
  { name: 'chart', run: writeHelmChart },
  { name: 'executables', run: buildExecutables },
  { name: 'installers', run: writeInstallers },
  { name: 'sboms', run: writeSboms },
  { name: 'provenance', run: writeProvenance },
  { name: 'checksums', run: writeChecksums },
  { name: 'signatures', run: signChecksums },
]
