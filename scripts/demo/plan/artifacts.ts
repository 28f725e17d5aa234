import { uuidOf, type Random } from '../random.ts'

type Artifact = { filename: string; description: string; content: string }

type Subject = { name: string; version: string; commits: readonly string[]; random: Random }

const suites = ['Storage', 'Synchronization', 'Import', 'Settings', 'Rendering']
const cases = [
  'keeps unsaved changes',
  'resumes after an interruption',
  'rejects damaged files',
  'shows an empty state',
]
const components = [
  { name: 'sqlite', version: '3.50.4', license: 'blessing' },
  { name: 'zlib', version: '1.3.1', license: 'Zlib' },
  { name: 'libpng', version: '1.6.50', license: 'libpng-2.0' },
  { name: 'harfbuzz', version: '11.4.1', license: 'MIT' },
]

/** Returns a test report in JUnit format. One in five reports contains a failed test. */
export function junitReport({ name, random }: Subject): Artifact {
  const failing = random.chance(0.2) ? random.pick(suites) : undefined
  const written = suites.map((suite) => {
    const tests = cases.map((test, index) => {
      const seconds = random.between(0.01, 2).toFixed(3)
      const failure =
        suite === failing && index === 1
          ? '<failure message="Expected 4 rows, found 3">resume.test: line 118</failure>'
          : ''
      return `<testcase classname="${suite}" name="${test}" time="${seconds}">${failure}</testcase>`
    })
    const failures = suite === failing ? 1 : 0
    return `<testsuite name="${suite}" tests="${tests.length}" failures="${failures}">${tests.join('')}</testsuite>`
  })
  return {
    filename: 'test-report.xml',
    description: 'Results of the tests',
    content: `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${name}">${written.join('\n')}</testsuites>\n`,
  }
}

/** Returns a software bill of materials in CycloneDX format. */
export function billOfMaterials({ name, version }: Subject): Artifact {
  const listed = components.map((component) => ({
    type: 'library',
    name: component.name,
    version: component.version,
    purl: `pkg:generic/${component.name}@${component.version}`,
    licenses: [{ license: { id: component.license } }],
  }))
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(`${name} ${version}`)}`,
    version: 1,
    metadata: { component: { type: 'application', name, version } },
    components: listed,
  }
  return {
    filename: 'bom.cdx.json',
    description: 'Bill of materials',
    content: JSON.stringify(document, null, 2),
  }
}

export function changeNotes({ name, version, commits }: Subject): Artifact {
  const content = `${name} ${version}\n\n${commits.map((commit) => `- ${commit}\n`).join('')}`
  return { filename: 'CHANGES.txt', description: 'Commits since the previous build', content }
}
