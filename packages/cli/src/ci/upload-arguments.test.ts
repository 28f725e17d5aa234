import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uploadArguments } from './upload-arguments.ts'

test('passes inputs from the environment as values, never as options', () => {
  const env = {
    QUAYSIDE_FILE: '--dry-run',
    QUAYSIDE_STREAM: '--force',
    QUAYSIDE_PLATFORM: '',
    QUAYSIDE_LABELS: 'smoke,qa\n--json\n',
    QUAYSIDE_METADATA: ' report 1.txt \n\nreport 2.txt',
  }
  assert.deepEqual(uploadArguments(env), [
    '--stream=--force',
    '--label=smoke,qa',
    '--label=--json',
    '--metadata=report 1.txt',
    '--metadata=report 2.txt',
    '--',
    '--dry-run',
  ])
})
