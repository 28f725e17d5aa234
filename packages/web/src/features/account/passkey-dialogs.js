import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { addPasskey, isPasskeyCanceled } from '../../api/passkeys.ts';
import { callSignIn } from '../../api/sign-in.ts';
import { accountText } from '../../text/account.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { showDone } from '../../ui/toast.tsx';
import { deviceName } from './device-name.ts';
import { useRecentSignIn } from './recent-sign-in.tsx';
/** Asks for a name and creates a passkey with it. */
export function AddPasskeyDialog({ onClose, onDone }) {
    const { browser, system } = deviceName(navigator.userAgent);
    const form = useForm({ initialValues: { name: `${browser} on ${system}` } });
    const { withRecentSignIn, dialog } = useRecentSignIn();
    async function add(name) {
        try {
            await withRecentSignIn(() => addPasskey(name));
        }
        catch (error) {
            if (isPasskeyCanceled(error))
                throw new Error(accountText.passkeyCanceled, { cause: error });
            if (error instanceof Error && error.name === 'InvalidStateError')
                throw new Error(accountText.passkeyExists, { cause: error });
            throw error;
        }
        await onDone();
        onClose();
        showDone('Passkey added.');
    }
    return (dialog ?? (_jsxs(FormDialog, { title: "Add a passkey", submitLabel: "Continue", form: form, onSubmit: ({ name }) => add(name), onClose: onClose, children: [_jsx("div", { children: accountText.addPasskey }), _jsx(TextInput, { label: "Name", required: true, withAsterisk: false, "data-autofocus": true, ...form.getInputProps('name') })] })));
}
/** Renames a passkey. */
export function RenamePasskeyDialog({ passkey, onClose, onDone }) {
    const form = useForm({ initialValues: { name: passkey.name ?? '' } });
    async function rename(name) {
        await callSignIn('/passkey/update-passkey', { id: passkey.id, name });
        await onDone();
        onClose();
    }
    return (_jsx(FormDialog, { title: "Rename the passkey", submitLabel: "Rename", form: form, onSubmit: ({ name }) => rename(name), onClose: onClose, children: _jsx(TextInput, { label: "Name", required: true, withAsterisk: false, maxLength: 100, "data-autofocus": true, ...form.getInputProps('name') }) }));
}
