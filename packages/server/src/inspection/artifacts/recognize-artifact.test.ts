import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recognizeArtifact } from './recognize-artifact.ts'

const samples = {
  sarif: [
    '{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []}',
    '{\n "version": "2.1.0",\n "runs": [{"tool": {"driver": {"name": "lint"}}}]}',
  ],
  nunit: [
    '<?xml version="1.0" encoding="utf-8" standalone="no"?>\n<test-run id="2" testcasecount="3" result="Passed">',
    '<!--This file represents the results of running a test suite-->\n<test-results name="a.dll" total="2">',
  ],
  trx: [
    '\uFEFF<?xml version="1.0" encoding="utf-8"?>\n<TestRun id="a" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">',
  ],
  cobertura: [
    '<?xml version="1.0" ?>\n<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">\n<coverage branch-rate="0" line-rate="0.93" version="7">',
  ],
  r8_mapping: [
    '# compiler: R8\n# compiler_version: 8.2.33\n# pg_map_id: 7fa4c6e\ncom.example.App -> a.a:\n    void run() -> a\n',
    '# pg_map_id: 7fa4c6e\ncom.example.App -> a.a:\r\n',
  ],
  proguard_mapping: ['com.example.App -> a.a:\n    int count -> b\n'],
  breakpad: ['MODULE Linux x86_64 B547DD76D4B4C6A5F3F3E9C1F0D3B7A50 crash_app\nINFO CODE_ID 76DD47B5\n'],
  pdb: ['Microsoft C/C++ MSF 7.00\r\n\u001aDS\0\0\0', 'BSJB\u0001\0'],
  cyclonedx: [
    '{\n  "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",\n  "bomFormat": "CycloneDX"}',
    '\uFEFF<?xml version="1.0"?>\n<!-- made by a tool -->\n<bom xmlns="http://cyclonedx.org/schema/bom/1.6" version="1">',
  ],
  spdx: [
    '{"SPDXID": "SPDXRef-DOCUMENT", "spdxVersion": "SPDX-2.3"}',
    '{"@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld", "@graph": []}',
    'SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\n',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:spdx="http://spdx.org/rdf/terms#">',
    '<?xml version="1.0"?><Document><SPDXID>SPDXRef-DOCUMENT</SPDXID><spdxVersion>SPDX-2.3</spdxVersion>',
  ],
  junit: [
    '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites tests="1"><testsuite name="a">',
    '<testsuite name="com.example" tests="3" failures="0">',
  ],
}

for (const [format, texts] of Object.entries(samples)) {
  test(`recognizes ${format} artifacts`, () => {
    for (const text of texts) assert.equal(recognizeArtifact(Buffer.from(text), 'artifact'), format, text)
  })
}

test('does not recognize other artifacts', () => {
  const others = [
    '',
    'SPDXVersion is explained here',
    '{"name": "CycloneDX"}',
    '{"dependencies": {}}',
    '<bom xmlns="http://example.com"/>',
    '<html><testsuite/></html>',
    '<!-- <testsuite> --><coverage>',
    '<'.repeat(100_000),
    '<coverage generated="1" clover="4.2">',
    '<TestRun xmlns="http://example.com">',
    '<report name="jacoco">',
    '{"version": "2.1.0", "runs": []}',
    'a -> b',
    '# compiler: R8 is explained here\nIt shrinks code.\n',
    'MODULE about symbols',
    `<!DOCTYPE ${'x'.repeat(100_000)}`,
    `${'a'.repeat(100_000)} -> b:`,
    `{"$schema": "${'sarif'.repeat(20_000)}`,
    `<!--${'-'.repeat(100_000)}`,
    ' '.repeat(100_000),
  ]
  for (const text of others)
    assert.equal(recognizeArtifact(Buffer.from(text), 'artifact'), null, text.slice(0, 50))
})

test('recognizes signatures of APKs only by name and content', () => {
  const bytes = Buffer.from('020000002c00000001000000', 'hex')
  assert.equal(recognizeArtifact(bytes, 'app-release.apk.IDSIG'), 'apk_signature')
  assert.equal(recognizeArtifact(bytes, 'app.bin'), null)
  assert.equal(recognizeArtifact(Buffer.from('text in a file'), 'app.apk.idsig'), null)
})
