import assert from 'node:assert/strict'
import { test } from 'node:test'
import { architectureResource, architectures, findArchitecture } from './architectures.ts'
import { acceptedExpansionExtensions } from './expansion-filetypes.ts'
import { acceptedExtensions } from './filetypes.ts'
import {
  architectureErrors,
  architecturesOf,
  findPlatform,
  platformResource,
  platforms,
  platformSlugs,
  platformSupports,
} from './platforms.ts'

const contractSlugs =
  'generic windows macos android ios quest switch switch2 ps5 ps4 xbox-series vision-pro pico wearos vive homepod ' +
  'apple-tv apple-watch freebsd openbsd linux debian redhat gentoo arch playdate magic-leap zephyr roblox opensuse ' +
  'alpine nixos slackware void mageia kaios'

test('defines exactly the platforms in the contract (§2.4 platform slugs)', () => {
  assert.deepEqual(platformSlugs.toSorted(), contractSlugs.split(' ').toSorted())
})

test('returns nonempty values for exactly the four platform fields that the contract defines', () => {
  for (const slug of platformSlugs) {
    const resource = platformResource(slug)
    assert.deepEqual(Object.keys(resource), ['identifier', 'name', 'short_name', 'upload_instruction'])
    assert.equal(resource.identifier, slug)
    for (const text of Object.values(resource)) assert.ok(text.trim().length > 0, slug)
  }
})

test('defines one-line upload instructions that name only extensions that the platform accepts', () => {
  for (const { identifier, uploadInstruction } of platforms) {
    assert.match(uploadInstruction, /^Upload [^\n]+\.$/, identifier)
    const accepted = new Set([
      ...acceptedExtensions(identifier),
      ...acceptedExpansionExtensions(identifier, 'apk'),
    ])
    for (const [, extension = ''] of uploadInstruction.matchAll(/(?<![\w.])\.([a-z0-9]+(?:\.[a-z0-9]+)*)/g)) {
      assert.ok(accepted.has(extension), `${identifier} does not accept .${extension}`)
    }
  }
})

test('names every accepted extension in upload instructions unless the platform accepts generic file types', () => {
  for (const { identifier, uploadInstruction, acceptsGenericFiletypes } of platforms) {
    if (acceptsGenericFiletypes) continue
    for (const extension of acceptedExtensions(identifier)) {
      assert.ok(uploadInstruction.includes(`.${extension}`), `${identifier} does not mention .${extension}`)
    }
  }
})

test('finds no entry for an unknown platform but returns a resource with the slug as its name', () => {
  for (const slug of ['amiga', '', 'iOS', '__proto__', 'constructor', 'toString']) {
    assert.equal(findPlatform(slug), undefined)
    assert.deepEqual(architecturesOf(slug), [])
    assert.equal(platformSupports(slug, 'x64'), false)
    assert.deepEqual(platformResource(slug), {
      identifier: slug,
      name: slug,
      short_name: slug,
      upload_instruction: '',
    })
  }
})

test('lists only known and supported architectures for each platform, without duplicates', () => {
  for (const slug of platformSlugs) {
    const identifiers = architecturesOf(slug)
    assert.equal(new Set(identifiers).size, identifiers.length, slug)
    for (const identifier of identifiers) {
      assert.ok(findArchitecture(identifier), `${slug}: ${identifier}`)
      assert.equal(platformSupports(slug, identifier), true)
    }
  }
})

test('supports every architecture on at least one platform but not on all platforms', () => {
  for (const { identifier } of architectures) {
    const supporting = platformSlugs.filter((slug) => platformSupports(slug, identifier))
    assert.ok(supporting.length > 0 && supporting.length < platformSlugs.length, identifier)
    assert.ok(supporting.every((slug) => architecturesOf(slug).includes(identifier)))
  }
})

test('supports common combinations of platform and architecture but not invalid ones', () => {
  const supported = [
    ['macos', 'apple'],
    ['macos', 'u2b'],
    ['ios', 'arm64v8'],
    ['android', 'armv7'],
    ['android', 'x64'],
    ['windows', 'arm64v8'],
    ['generic', 'z80'],
    ['zephyr', 'armv8-m-ml'],
  ] as const
  for (const [platform, architecture] of supported) assert.ok(platformSupports(platform, architecture))
  const unsupported = [
    ['generic', 'apple'],
    ['ios', 'x64'],
    ['vision-pro', 'armv7'],
    ['quest', 'arm64v8'],
    ['arch', 'arm64v8'],
    ['windows', '__proto__'],
  ] as const
  for (const [platform, architecture] of unsupported) assert.ok(!platformSupports(platform, architecture))
})

test('does not change the catalog when a returned list of architectures is modified', () => {
  architecturesOf('ios').push('x64')
  assert.equal(platformSupports('ios', 'x64'), false)
  assert.deepEqual(architecturesOf('ios'), ['armv7', 'armv8', 'arm64v8', 'armv9'])
})

test('defines a unique identifier and a unique description for every architecture', () => {
  assert.equal(new Set(architectures.map(({ identifier }) => identifier)).size, architectures.length)
  assert.equal(new Set(architectures.map(({ description }) => description)).size, architectures.length)
  for (const { identifier } of architectures) {
    const resource = architectureResource(identifier)
    assert.deepEqual(Object.keys(resource), ['identifier', 'name', 'description'])
    assert.equal(resource.identifier, identifier)
    assert.match(resource.description, /^[A-Z0-9].+\.$/, identifier)
  }
  assert.deepEqual(architectureResource('tubes'), { identifier: 'tubes', name: 'tubes', description: '' })
})

test('lists the supported architectures in the error for an unsupported architecture', () => {
  assert.deepEqual(architectureErrors('ios', ['arm64v8', 'x86']), {
    'architectures.1': [`"x86" is not supported. ios supports: ${architecturesOf('ios').join(', ')}.`],
  })
  assert.deepEqual(architectureErrors('nowhere', ['x64']), {
    'architectures.0': ['"x64" is not supported. nowhere builds cannot have architectures.'],
  })
})
