import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareChecksum, counterpartOf } from './files-of-build.ts';
const file = (filename, sizeBytes, sha256) => ({
    id: filename,
    filename,
    size_bytes: sizeBytes,
    checksum_sha256: sha256,
});
const build = {
    primary_file: file('app.apk', 100, 'aa'),
    expansion_files: [file('main.obb', 200, 'bb'), file('patch.obb', 300, null)],
};
const kindOf = (name, size, sha256) => {
    const { kind, file: counterpart } = compareChecksum({ name, size, sha256 }, build);
    return `${kind} ${counterpart.filename}`;
};
test('matches every file of the build, whatever the local file is called', () => {
    assert.equal(kindOf('download (1).bin', 200, 'bb'), 'matches main.obb');
});
test('reports a file of the same size with another checksum as different', () => {
    assert.equal(kindOf('app.apk', 100, 'cc'), 'differs app.apk');
});
test('reports that the checksum of the stored file is not known yet', () => {
    assert.equal(kindOf('patch.obb', 300, 'cc'), 'unknown patch.obb');
});
test('compares with the file of the same name if no size matches', () => {
    assert.equal(counterpartOf({ name: 'main.obb', size: 7 }, build).filename, 'main.obb');
    assert.equal(counterpartOf({ name: 'other', size: 7 }, build).filename, 'app.apk');
});
