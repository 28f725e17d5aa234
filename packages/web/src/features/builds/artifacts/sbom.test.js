import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSbom } from './sbom.ts';
test('reads the components of a CycloneDX document by name', () => {
    const sbom = parseSbom(JSON.stringify({
        bomFormat: 'CycloneDX',
        specVersion: '1.6',
        components: [
            { name: 'zlib', version: '1.3.1', licenses: [{ license: { id: 'Zlib' } }] },
            { group: '@acme', name: 'core', version: '2.0.0', licenses: [{ expression: 'MIT OR Apache-2.0' }] },
            'not a component',
        ],
    }));
    assert.equal(sbom?.title, 'CycloneDX 1.6');
    assert.deepEqual(sbom?.components.map(({ name, licenses }) => `${name}: ${licenses}`), ['@acme/core: MIT OR Apache-2.0', 'zlib: Zlib']);
});
test('reads the packages of an SPDX document', () => {
    const sbom = parseSbom(JSON.stringify({
        spdxVersion: 'SPDX-2.3',
        packages: [
            {
                name: 'sqlite',
                versionInfo: '3.50.4',
                licenseConcluded: 'NOASSERTION',
                licenseDeclared: 'blessing',
                externalRefs: [{ referenceType: 'purl', referenceLocator: 'pkg:generic/sqlite@3.50.4' }],
            },
        ],
    }));
    assert.deepEqual(sbom?.components, [
        { name: 'sqlite', version: '3.50.4', licenses: 'blessing', url: 'pkg:generic/sqlite@3.50.4' },
    ]);
});
test('recognizes that a document is not a bill of materials', () => {
    assert.equal(parseSbom('{"name": "app"}'), undefined);
    assert.equal(parseSbom('<xml/>'), undefined);
});
