import { androidVersion } from '../overview/android-versions.ts';
import { isSensitive, shortPermission } from '../overview/sensitive-permissions.ts';
/** Returns how a build differs from an earlier one. */
export function compareBuilds(before, after) {
    const attributes = attributesOf(after).flatMap((attribute, index) => {
        const old = attributesOf(before)[index]?.value ?? null;
        const { name, value, isRisk } = attribute;
        if (old === value)
            return [];
        return [{ name, before: old ?? '–', after: value ?? '–', isRisky: isRisk?.(old, value) ?? false }];
    });
    const [old, current] = [before.android_info, after.android_info];
    const permissions = old === null || current === null
        ? { added: [], removed: [] }
        : difference(old.permissions, current.permissions);
    const files = compareFiles(before, after);
    return {
        isRead: hasInfo(before) && hasInfo(after),
        risks: risksOf(before, after, permissions.added),
        attributes,
        permissions,
        files,
    };
}
const hasInfo = ({ android_info: android, ios_info: ios, file_info: file }) => android !== null || ios !== null || file !== null;
const always = () => true;
const isLost = (before, after) => before !== null && after === null;
function attributesOf({ android_info: android, ios_info: ios, file_info: file, ...build }) {
    const yesNo = (value) => (value === undefined ? null : value ? 'yes' : 'no');
    return [
        { name: 'Package', value: android?.package_name ?? ios?.bundle_id ?? file?.name ?? null, isRisk: always },
        { name: 'Version', value: build.version },
        { name: 'Build number', value: build.build_number },
        { name: 'Minimum', value: minimumOf({ android_info: android, ios_info: ios, file_info: file }) },
        { name: 'Target', value: androidOf(android?.target_api) },
        { name: 'Signature', value: file?.signature_status ?? null, isRisk: (_, value) => value !== 'valid' },
        { name: 'Certificate', value: android?.signing_cert_sha256 ?? null, isRisk: always },
        { name: 'Signer', value: file?.signer ?? null, isRisk: isLost },
        { name: 'Debuggable', value: yesNo(android?.is_debuggable), isRisk: (_, value) => value === 'yes' },
        { name: 'Distribution', value: ios?.key_type ?? null, isRisk: always },
        { name: 'Team', value: ios?.team_identifier ?? null, isRisk: always },
        { name: 'Profile', value: ios?.provisioning_profile_uuid ?? null },
        { name: 'Devices', value: ios?.provisioned_device_count?.toString() ?? null },
        {
            name: 'Architectures',
            value: build.architectures.map(({ name }) => name).join(', ') || null,
            isRisk: (old, value) => (old ?? '').split(', ').some((each) => !(value ?? '').split(', ').includes(each)),
        },
        { name: 'Publisher', value: file?.publisher ?? null },
        { name: 'Format', value: file?.format ?? null },
    ];
}
function minimumOf({ android_info: android, ios_info: ios, file_info: file }) {
    const ofIos = ios?.minimum_os;
    if (typeof ofIos === 'string')
        return `iOS ${ofIos}`;
    return androidOf(android?.minimum_api) ?? file?.minimum_os ?? null;
}
const androidOf = (api) => typeof api === 'number' ? androidVersion(api) : null;
function risksOf(before, after, addedPermissions) {
    const risks = [];
    const [oldAndroid, android] = [before.android_info, after.android_info];
    const [oldIos, ios] = [before.ios_info, after.ios_info];
    const warnIf = (condition, sentence) => {
        if (condition)
            risks.push(sentence);
    };
    if (oldAndroid !== null && android !== null) {
        warnIf(oldAndroid.package_name !== android.package_name, 'The package name differs: Android installs it as another app.');
        warnIf(isChanged(oldAndroid.signing_cert_sha256, android.signing_cert_sha256), 'It is signed with another certificate: Android refuses it as an update.');
        warnIf(isLower(android.version_code, oldAndroid.version_code), `The version code is lower (${android.version_code} after ${oldAndroid.version_code}): Android refuses it as an update.`);
        warnIf(android.is_debuggable && !oldAndroid.is_debuggable, 'It is debuggable, and the earlier build is not.');
        warnIf(isLower(oldAndroid.minimum_api, android.minimum_api), `It drops devices with Android older than ${minimumOf(after)}.`);
    }
    if (oldIos !== null && ios !== null) {
        warnIf(isChanged(oldIos.bundle_id, ios.bundle_id), 'The bundle identifier differs: iOS installs it as another app.');
        warnIf(isChanged(oldIos.team_identifier, ios.team_identifier), 'It is signed by another team: iOS refuses it as an update.');
        warnIf(isChanged(oldIos.key_type, ios.key_type), 'Its profile allows another kind of distribution.');
        warnIf(isLower(ios.provisioned_device_count, oldIos.provisioned_device_count), 'Its profile contains fewer devices.');
        warnIf(isChanged(oldIos.minimum_os, ios.minimum_os), `Its minimum is now iOS ${ios.minimum_os}.`);
    }
    const [oldSignature, signature] = [before.file_info?.signature_status, after.file_info?.signature_status];
    warnIf(signature === 'invalid', 'Its signature does not match its content.');
    warnIf(signature === 'unsigned' && oldSignature === 'valid', 'It is no longer signed.');
    if (android === null && ios === null)
        warnIf(isChanged(before.file_info?.signer ?? null, after.file_info?.signer ?? null), `It is signed by another signer: ${after.file_info?.signer}.`);
    const sensitive = addedPermissions.filter(isSensitive).map(shortPermission);
    warnIf(sensitive.length > 0, `It requests new sensitive permissions: ${sensitive.join(', ')}.`);
    const lost = before.architectures.filter(({ identifier }) => !after.architectures.some((each) => each.identifier === identifier));
    warnIf(after.architectures.length > 0 && lost.length > 0, `It no longer contains ${lost.map(({ name }) => name).join(', ')}.`);
    const growth = after.size_total_bytes / Math.max(1, before.size_total_bytes);
    const larger = growth < 3 ? `${Math.round((growth - 1) * 100)} % larger` : `${Math.round(growth)} times as large`;
    warnIf(growth > maxGrowth, `It is ${larger}.`);
    return risks;
}
const maxGrowth = 1.2;
const isChanged = (before, after) => before !== null && after !== null && before !== after;
const isLower = (value, than) => value !== null && than !== null && value < than;
function difference(before, after) {
    return {
        added: after.filter((each) => !before.includes(each)),
        removed: before.filter((each) => !after.includes(each)),
    };
}
/** Compares the primary files with each other, and expansion files and artifacts by their names without the version. */
function compareFiles(before, after) {
    const [oldExpansions, expansions] = [
        byName(before, before.expansion_files),
        byName(after, after.expansion_files),
    ];
    const [oldArtifacts, artifacts] = [
        byName(before, before.metadata_artifacts),
        byName(after, after.metadata_artifacts),
    ];
    return [
        {
            name: after.primary_file.filename,
            before: before.primary_file.size_bytes,
            after: after.primary_file.size_bytes,
        },
        ...pairs(oldExpansions, expansions),
        ...pairs(oldArtifacts, artifacts).filter(({ before: old, after: current }) => old === undefined || current === undefined),
    ];
}
const byName = ({ version, build_number: number }, files) => new Map(files.map((file) => [file.filename.replaceAll(version, '*').replaceAll(number ?? version, '*'), file]));
const pairs = (before, after) => [...new Set([...after.keys(), ...before.keys()])].map((name) => ({
    name: (after.get(name) ?? before.get(name))?.filename ?? name,
    before: before.get(name)?.size_bytes,
    after: after.get(name)?.size_bytes,
}));
