const pattern = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;
/** Returns the fields of the API for a version such as `2.14.0-beta.1`; undefined if it is not a version. */
export function parseVersion(text) {
    const match = pattern.exec(text.trim());
    if (match === null)
        return undefined;
    const [, major, minor, patch, extra, meta] = match;
    return {
        version_component_1_major: Number(major),
        version_component_2_minor: Number(minor),
        version_component_3_patch: Number(patch),
        version_component_extra: extra ?? null,
        version_component_meta: meta ?? null,
    };
}
// Build metadata, such as a commit, differs between builds of the same version.
const withoutMeta = (version) => version.replace(/^v|\+.*$/g, '');
/** Returns the version of most builds, without build metadata; the newest of several. */
export function suggestVersion(builds) {
    const counts = new Map();
    for (const { version } of builds) {
        const key = withoutMeta(version);
        counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
/** Returns whether a build has another version than its release. */
export const isOtherVersion = (build, version) => withoutMeta(build.version) !== withoutMeta(version.trim());
/** Returns the builds of other versions, and whether all of them are pre-releases of the version of the release. */
export function findOtherVersions(builds, version) {
    const others = version === '' ? [] : builds.filter((build) => isOtherVersion(build, version));
    const ofRelease = `${withoutMeta(version.trim())}-`;
    return { others, arePreReleases: others.every((build) => withoutMeta(build.version).startsWith(ofRelease)) };
}
/** Returns the message about the version from the validation errors of the API, which has a field for each part. */
export const versionError = (fields) => Object.entries(fields).find(([field]) => field.startsWith('version_component_'))?.[1];
