import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureAnnotation } from './failure-annotation.ts'

test('escapes messages so that they cannot start another command of the CI system', () => {
  const message = '50% of a.zip\r\n::warning::x ##vso[task.complete]'
  assert.equal(
    failureAnnotation({ GITHUB_ACTIONS: 'true' }, message),
    '::error title=quayside::50%25 of a.zip%0D%0A::warning::x ##vso[task.complete]',
  )
  assert.equal(
    failureAnnotation({ TF_BUILD: 'True' }, message),
    '##vso[task.logissue type=error]50%AZP25 of a.zip%0D%0A::warning::x ##vso[task.complete]',
  )
  assert.equal(failureAnnotation({ GITLAB_CI: 'true' }, message), undefined)
})
