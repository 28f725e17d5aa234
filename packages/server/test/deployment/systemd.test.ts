import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { deployFolder } from './deploy-files.ts'

const maxExposure = 2

test('limits the exposure of every systemd service', (t) => {
  const services = globSync('systemd/*.service', { cwd: deployFolder })
  assert.equal(services.length, 3)
  for (const service of services) {
    // systemd-analyze expects ten times the exposure that it displays.
    const args = [
      'security',
      '--offline=true',
      `--threshold=${maxExposure * 10}`,
      join(deployFolder, service),
    ]
    const { error, status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    if (error !== undefined) return t.skip('needs systemd-analyze')
    assert.equal(status, 0, `${service}: ${stdout.split('\n').findLast((line) => line !== '')}\n${stderr}`)
  }
})
