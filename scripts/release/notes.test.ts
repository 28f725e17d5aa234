import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSection } from './notes.ts'

const changelog = `# Changelog

## [Unreleased]

Next.

## [1.2.0] - 2026-01-02

### Added

- One
- Two

## [1.1.0] - 2025-12-01

- Zero
`

test('returns the section of a version with its subheadings', () => {
  assert.equal(findSection(changelog, '1.2.0'), '### Added\n\n- One\n- Two')
  assert.equal(findSection(changelog, '1.1.0'), '- Zero')
  assert.equal(findSection(changelog, 'Unreleased'), 'Next.')
})

test('finds no section for a version that the changelog does not have', () => {
  assert.equal(findSection(changelog, '1.2'), undefined)
  assert.equal(findSection(changelog, '2.0.0'), undefined)
})
