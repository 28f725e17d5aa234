import { shareServices } from './harness.ts'

// The first import of each group of small test files; see scripts/test.ts.
shareServices()
