const maxHeaderBytes = 64 * 1024;
const maxResourceBytes = 64 * 2 ** 20;
/** The signature of VS_FIXEDFILEINFO in the version resource of a Windows program. */
const signature = [0xbd, 0x04, 0xef, 0xfe];
/** Returns the four numbers of the product version of a Windows program, or undefined if it has none. */
export async function readExecutableVersion(file) {
    const header = new DataView(await file.slice(0, maxHeaderBytes).arrayBuffer());
    const pe = header.getUint32(0x3c, true);
    if (header.getUint16(0, true) !== 0x5a4d || header.getUint32(pe, true) !== 0x4550)
        return undefined;
    const sections = header.getUint16(pe + 6, true);
    const table = pe + 24 + header.getUint16(pe + 20, true);
    for (let at = table; at < table + sections * 40; at += 40) {
        const name = new TextDecoder('latin1').decode(new Uint8Array(header.buffer, at, 8));
        if (!name.startsWith('.rsrc'))
            continue;
        const start = header.getUint32(at + 20, true);
        const size = Math.min(header.getUint32(at + 16, true), maxResourceBytes);
        return versionIn(new Uint8Array(await file.slice(start, start + size).arrayBuffer()));
    }
    return undefined;
}
function versionIn(resources) {
    const view = new DataView(resources.buffer);
    let at = resources.indexOf(0xbd);
    while (at !== -1 && !signature.every((byte, index) => resources[at + index] === byte))
        at = resources.indexOf(0xbd, at + 1);
    if (at === -1)
        return undefined;
    const [high, low] = [view.getUint32(at + 16, true), view.getUint32(at + 20, true)];
    return [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff];
}
