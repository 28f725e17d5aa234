import { fileURLToPath } from 'node:url'
import type { Program } from '../../src/inspection/sandbox.ts'

const pathOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Runs in place of the inspection and tries to leave the sandbox. It is run from its source, which it therefore reads. */
export const attackProgram: Program = {
  entry: pathOf('src/inspection/attacks.fixture.ts'),
  reads: [pathOf('src'), pathOf('package.json')],
}
