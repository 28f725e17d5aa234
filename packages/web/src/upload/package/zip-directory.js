const maxDirectoryBytes = 32 * 2 ** 20;
const maxEntries = 200000;
/** The end record and the longest comment that can follow it. */
const maxEndBytes = 22 + 65535;
const viewOf = async (blob, start, length) => {
    if (start < 0 || start + length > blob.size)
        throw new RangeError('The archive is truncated.');
    return new DataView(await blob.slice(start, start + length).arrayBuffer());
};
/** Lists the entries of a ZIP archive. Reads only the directory at its end. Throws if the archive is damaged. */
export async function listZipEntries(file) {
    const tailStart = Math.max(0, file.size - maxEndBytes);
    const tail = await viewOf(file, tailStart, file.size - tailStart);
    let end = tail.byteLength - 22;
    while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50)
        end--;
    if (end < 0)
        throw new RangeError('The file is not a ZIP archive.');
    const { start, length } = await findDirectory(file, tail, end, tailStart);
    if (length > maxDirectoryBytes)
        throw new RangeError('The directory of the archive is too large.');
    const directory = await viewOf(file, start, length);
    const entries = [];
    for (let at = 0; at + 46 <= length && directory.getUint32(at, true) === 0x02014b50;) {
        if (entries.length >= maxEntries)
            throw new RangeError('The archive has too many entries.');
        const nameBytes = directory.getUint16(at + 28, true);
        const extraBytes = directory.getUint16(at + 30, true);
        const commentBytes = directory.getUint16(at + 32, true);
        entries.push({
            name: new TextDecoder().decode(new Uint8Array(directory.buffer, at + 46, nameBytes)),
            headerOffset: directory.getUint32(at + 42, true),
            compressedBytes: directory.getUint32(at + 20, true),
            sizeBytes: directory.getUint32(at + 24, true),
            isDeflated: directory.getUint16(at + 10, true) === 8,
        });
        at += 46 + nameBytes + extraBytes + commentBytes;
    }
    return entries;
}
/** Archives above 4 GiB have their directory described by a second record. */
async function findDirectory(file, tail, end, tailStart) {
    const start = tail.getUint32(end + 16, true);
    const length = tail.getUint32(end + 12, true);
    if (start !== 4294967295 && length !== 4294967295)
        return { start, length };
    const locator = await viewOf(file, tailStart + end - 20, 20);
    const record = await viewOf(file, Number(locator.getBigUint64(8, true)), 56);
    return { start: Number(record.getBigUint64(48, true)), length: Number(record.getBigUint64(40, true)) };
}
/** Returns the content of an entry. Throws if it is larger than `maxBytes`, whatever the directory says. */
export async function readZipEntry(file, entry, maxBytes) {
    const { headerOffset, compressedBytes, sizeBytes } = entry;
    if (Math.max(compressedBytes, sizeBytes) > maxBytes)
        throw new RangeError(`${entry.name} is too large.`);
    const header = await viewOf(file, headerOffset, 30);
    const start = headerOffset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
    const content = file.slice(start, start + compressedBytes);
    if (!entry.isDeflated)
        return new Uint8Array(await content.arrayBuffer());
    const bytes = new Uint8Array(sizeBytes);
    let length = 0;
    for await (const chunk of content.stream().pipeThrough(new DecompressionStream('deflate-raw'))) {
        if (length + chunk.length > sizeBytes)
            throw new RangeError(`${entry.name} is larger than declared.`);
        bytes.set(chunk, length);
        length += chunk.length;
    }
    return bytes.subarray(0, length);
}
