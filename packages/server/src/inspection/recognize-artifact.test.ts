import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recognizeArtifact } from './recognize-artifact.ts'

const samples = {
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
    for (const text of texts) assert.equal(recognizeArtifact(Buffer.from(text)), format, text)
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
    `<!--${'-'.repeat(100_000)}`,
    ' '.repeat(100_000),
  ]
  for (const text of others) assert.equal(recognizeArtifact(Buffer.from(text)), null, text.slice(0, 50))
})
