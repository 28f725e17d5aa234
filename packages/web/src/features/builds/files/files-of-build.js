/** Returns the files of a build, beginning with the primary file. */
export const filesOf = ({ primary_file: primary, expansion_files: expansions }) => [
    primary,
    ...expansions,
];
/**
 * Returns the file of the build to compare a local file with: one of the same size, preferably of the same name;
 * otherwise the one of the same name, or the primary file.
 */
export function counterpartOf(local, build) {
    const files = filesOf(build);
    const ofSize = files.filter(({ size_bytes: size }) => size === local.size);
    const candidates = ofSize.length > 0 ? ofSize : files;
    return candidates.find(({ filename }) => filename === local.name) ?? candidates[0] ?? build.primary_file;
}
/** Compares the checksum of a local file with those of the files of a build. */
export function compareChecksum(local, build) {
    const match = filesOf(build).find(({ checksum_sha256: sha256 }) => sha256 === local.sha256);
    if (match !== undefined)
        return { kind: 'matches', file: match };
    const file = counterpartOf(local, build);
    return {
        kind: file.checksum_sha256 === null && file.size_bytes === local.size ? 'unknown' : 'differs',
        file,
    };
}
