/** Returns what is shown of the build that an upload has created. */
export function uploadedBuild(build) {
    const { id, version, build_number: number, platform, stream, modal_url: url } = build;
    return {
        id,
        version: number === null ? version : `${version} (${number})`,
        platform: platform.name,
        stream: stream.name,
        url,
    };
}
