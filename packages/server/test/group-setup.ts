import { shareServices } from './harness.ts'

// scripts/test.ts imports this file first in each group of small test files.
shareServices()
