import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useForm } from '@mantine/form';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
/** Asks for the password before a change of how the person signs in. */
export function PasswordDialog({ title, confirmLabel = 'Continue', children, onConfirm, onClose }) {
    const form = useForm({ initialValues: { password: '' } });
    return (_jsxs(FormDialog, { title: title, submitLabel: confirmLabel, form: form, onSubmit: ({ password }) => onConfirm(password), onClose: onClose, children: [children !== undefined && _jsx("div", { children: children }), _jsx(PasswordField, { label: "Your password", name: "password", autoComplete: "current-password", required: true, withAsterisk: false, "data-autofocus": true, ...form.getInputProps('password') })] }));
}
