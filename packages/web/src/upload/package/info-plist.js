/** Reads an Info.plist in binary or XML format. Throws a RangeError if it is damaged. */
export function readInfoPlist(bytes) {
    const isBinary = new TextDecoder('latin1').decode(bytes.subarray(0, 8)) === 'bplist00';
    return isBinary ? readBinary(bytes) : readXml(new TextDecoder().decode(bytes));
}
const keyWithText = /<key>([^<]*)<\/key>\s*(?:<array>\s*)?<string>([^<]*)<\/string>/g;
function readXml(text) {
    const found = new Map();
    for (const [, key = '', value = ''] of text.matchAll(keyWithText))
        if (!found.has(key))
            found.set(key, value);
    return found;
}
/** Reads only the root dictionary, so that references between objects cannot cause much work. */
function readBinary(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const trailer = bytes.length - 32;
    const offsetBytes = view.getUint8(trailer + 6);
    const referenceBytes = view.getUint8(trailer + 7);
    const root = Number(view.getBigUint64(trailer + 16));
    const table = Number(view.getBigUint64(trailer + 24));
    const unsigned = (at, length) => {
        let value = 0;
        for (let index = 0; index < length; index++)
            value = value * 256 + view.getUint8(at + index);
        return value;
    };
    const offsetOf = (object) => unsigned(table + object * offsetBytes, offsetBytes);
    const reference = (at) => unsigned(at, referenceBytes);
    /** Returns where the items of an object start, and how many there are. */
    const itemsOf = (at) => {
        const marker = view.getUint8(at);
        const kind = marker >> 4;
        if ((marker & 0x0f) !== 0x0f)
            return { kind, count: marker & 0x0f, start: at + 1 };
        const length = 2 ** (view.getUint8(at + 1) & 0x0f);
        return { kind, count: unsigned(at + 2, length), start: at + 2 + length };
    };
    const textAt = (object) => {
        const { kind, count, start } = itemsOf(offsetOf(object));
        if (kind === 0xa && count > 0)
            return textAt(reference(start));
        if (kind === 0x5)
            return new TextDecoder('latin1').decode(bytes.subarray(start, start + count));
        if (kind === 0x6)
            return new TextDecoder('utf-16be').decode(bytes.subarray(start, start + count * 2));
        return undefined;
    };
    const { kind, count, start } = itemsOf(offsetOf(root));
    if (kind !== 0xd || count * referenceBytes * 2 > bytes.length)
        throw new RangeError('There is no dictionary.');
    const found = new Map();
    for (let index = 0; index < count; index++) {
        const key = textAt(reference(start + index * referenceBytes));
        const value = textAt(reference(start + (count + index) * referenceBytes));
        if (key !== undefined && value !== undefined)
            found.set(key, value);
    }
    return found;
}
