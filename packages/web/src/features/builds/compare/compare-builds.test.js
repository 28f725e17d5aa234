import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareBuilds } from './compare-builds.ts';
const android = {
    package_name: 'example.brindle.wayfern',
    minimum_api: 26,
    target_api: 36,
    version_name: '5.1.0',
    version_code: 1481,
    is_debuggable: false,
    package_signed: true,
    signing_cert_sha256: 'aa'.repeat(32),
    permissions: ['android.permission.INTERNET'],
};
const file = (filename, sizeBytes) => ({ filename, size_bytes: sizeBytes });
const build = (info = {}, sizeBytes = 1000) => ({
    version: '5.1.0',
    build_number: '1481',
    size_total_bytes: sizeBytes,
    primary_file: file('wayfern-5.1.0.apk', sizeBytes),
    expansion_files: [],
    metadata_artifacts: [],
    architectures: [{ identifier: 'arm64', name: 'ARM64', description: '' }],
    android_info: { ...android, ...info },
    ios_info: null,
    file_info: null,
});
test('finds nothing risky in equal builds', () => {
    const { risks, attributes, permissions, isRead } = compareBuilds(build(), build());
    assert.deepEqual(risks, []);
    assert.deepEqual(attributes, []);
    assert.deepEqual(permissions, { added: [], removed: [] });
    assert.equal(isRead, true);
});
test('names what Android refuses or what users would notice', () => {
    const { risks } = compareBuilds(build(), build({
        signing_cert_sha256: 'bb'.repeat(32),
        version_code: 1400,
        is_debuggable: true,
        minimum_api: 28,
        permissions: ['android.permission.INTERNET', 'android.permission.CAMERA'],
    }));
    assert.deepEqual(risks, [
        'It is signed with another certificate: Android refuses it as an update.',
        'The version code is lower (1400 after 1481): Android refuses it as an update.',
        'It is debuggable, and the earlier build is not.',
        'It drops devices with Android older than Android 9 (API 28).',
        'It requests new sensitive permissions: CAMERA.',
    ]);
});
test('reports no new permissions if one of the packages could not be read', () => {
    const { isRead, permissions } = compareBuilds({ ...build(), android_info: null }, build());
    assert.equal(isRead, false);
    assert.deepEqual(permissions, { added: [], removed: [] });
});
test('reports growth of more than 20 percent', () => {
    assert.deepEqual(compareBuilds(build(), build({}, 1200)).risks, []);
    assert.deepEqual(compareBuilds(build(), build({}, 1500)).risks, ['It is 50 % larger.']);
    assert.deepEqual(compareBuilds(build(), build({}, 5000)).risks, ['It is 5 times as large.']);
});
test('matches files whose names contain the version', () => {
    const before = { ...build(), expansion_files: [file('main.1481.obb', 10)] };
    const after = {
        ...build(),
        version: '5.2.0',
        build_number: '1500',
        expansion_files: [file('main.1500.obb', 20)],
        metadata_artifacts: [file('bom.json', 5)],
    };
    assert.deepEqual(compareBuilds(before, after).files.slice(1), [
        { name: 'main.1500.obb', before: 10, after: 20 },
        { name: 'bom.json', before: undefined, after: 5 },
    ]);
});
