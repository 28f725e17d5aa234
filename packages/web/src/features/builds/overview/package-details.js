import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { buildText } from '../../../text/build.ts';
import { Copyable } from '../../../ui/copyable.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { useNow } from '../../../ui/now.ts';
import { Section } from '../../../ui/section.tsx';
import { calendarDay, daysUntil } from '../../../ui/time.ts';
import { androidVersion } from './android-versions.ts';
import classes from './overview.module.css';
/** What the service read from the package of a build. */
export function PackageDetails({ build }) {
    const { android_info: android, ios_info: ios, file_info: file } = build;
    const hasDetails = android !== null || ios !== null || file !== null || build.architectures.length > 0;
    return (_jsx(Section, { title: "Package", children: build.pending_processing && !hasDetails ? (_jsx(Skeleton, { height: 14, width: "70%" })) : !hasDetails ? (_jsx(Text, { fz: "sm", c: "dimmed", children: build.processing_error ?? buildText.noPackage })) : (_jsxs(FactList, { children: [android !== null && _jsx(AndroidFacts, { android: android, file: file }), ios !== null && _jsx(IosFacts, { ios: ios }), file !== null && android === null && ios === null && _jsx(FileFacts, { file: file }), _jsx(Fact, { name: "Architectures", children: build.architectures.map(({ name }) => name).join(', ') }), file !== null && _jsx(Fact, { name: "Format", children: file.format })] })) }));
}
function AndroidFacts({ android, file }) {
    return (_jsxs(_Fragment, { children: [_jsx(Fact, { name: "Package", children: copyable(android.package_name, 'package name') }), _jsx(Fact, { name: "Version", children: [android.version_name, android.version_code].filter((part) => part !== null).join(' / ') }), _jsx(Fact, { name: "Minimum", children: android.minimum_api !== null && androidVersion(android.minimum_api) }), _jsx(Fact, { name: "Target", children: android.target_api !== null && androidVersion(android.target_api) }), _jsx(Fact, { name: "Signature", children: _jsx(Signature, { status: file?.signature_status ?? (android.package_signed ? 'unknown' : 'unsigned') }) }), _jsx(Fact, { name: "Signed by", children: file?.signer }), _jsx(Fact, { name: "Certificate", children: copyable(android.signing_cert_sha256, 'SHA-256 of the certificate', shortHash) }), _jsx(Fact, { name: "Debuggable", children: android.is_debuggable ? (_jsx(Status, { tone: "warn", children: "Yes: anyone with the device can read its data" })) : ('No') })] }));
}
const keyTypes = {
    development: 'Development',
    adhoc: 'Ad hoc',
    enterprise: 'Enterprise (in-house)',
    appstore: 'App Store',
};
function IosFacts({ ios }) {
    const devices = ios.provisioned_device_count;
    return (_jsxs(_Fragment, { children: [_jsx(Fact, { name: "Bundle", children: copyable(ios.bundle_id, 'bundle identifier') }), _jsx(Fact, { name: "Name", children: ios.bundle_name }), _jsx(Fact, { name: "Version", children: [ios.version_short_string, ios.bundle_version].filter((part) => part !== null).join(' / ') }), _jsx(Fact, { name: "Minimum", children: ios.minimum_os !== null && `iOS ${ios.minimum_os}` }), _jsx(Fact, { name: "Distribution", children: ios.key_type !== null && keyTypes[ios.key_type] }), _jsx(Fact, { name: "Team", children: ios.team_name }), _jsx(Fact, { name: "Team ID", children: copyable(ios.team_identifier, 'team identifier') }), _jsx(Fact, { name: "Profile", children: ios.provisioning_profile_expiry !== null && (_jsx(ProfileExpiry, { expiry: ios.provisioning_profile_expiry })) }), _jsx(Fact, { name: "Profile signature", children: ios.provisioning_profile_signature !== null && (_jsx(Signature, { status: ios.provisioning_profile_signature })) }), _jsx(Fact, { name: "Devices", children: devices !== null && buildText.profile.devices(devices) })] }));
}
const warnDays = 30;
function ProfileExpiry({ expiry }) {
    const days = daysUntil(expiry, useNow());
    if (days < 0)
        return _jsx(Status, { tone: "bad", children: buildText.profile.expired });
    return (_jsxs(Status, { tone: days < warnDays ? 'warn' : undefined, children: [days === 0 ? 'Expires today' : `${days} ${days === 1 ? 'day' : 'days'} left`, ", until", ' ', calendarDay(expiry)] }));
}
function FileFacts({ file }) {
    return (_jsxs(_Fragment, { children: [_jsx(Fact, { name: "Name", children: copyable(file.name, 'package name') }), _jsx(Fact, { name: "Version", children: [file.version, file.build_number].filter((part) => part !== null).join(' / ') }), _jsx(Fact, { name: "Publisher", children: file.publisher }), _jsx(Fact, { name: "Minimum", children: file.minimum_os }), _jsx(Fact, { name: "Signature", children: file.signature_status !== null && _jsx(Signature, { status: file.signature_status }) }), _jsx(Fact, { name: "Signed by", children: file.signer })] }));
}
const signatureTones = { valid: 'good', invalid: 'bad', unsigned: 'warn', unknown: undefined };
function Signature({ status }) {
    return _jsx(Status, { tone: signatureTones[status], children: buildText.signature[status] });
}
function Status({ tone, children }) {
    return (_jsxs("span", { className: classes.status, "data-tone": tone, children: [tone === 'good' && _jsx(IconCheck, { size: 15, "aria-hidden": true }), (tone === 'warn' || tone === 'bad') && _jsx(IconAlertTriangle, { size: 15, "aria-hidden": true }), children] }));
}
const copyable = (value, label, shorten = (text) => text) => value !== null && (_jsx(Copyable, { value: value, label: label, mono: true, children: shorten(value) }));
const shortHash = (hash) => `SHA-256 ${hash.replaceAll(':', '').slice(0, 16).match(/../g)?.join(':').toUpperCase() ?? hash}…`;
